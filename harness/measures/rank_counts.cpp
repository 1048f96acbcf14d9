#include "harness/measures/rank_counts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace okbench {
namespace {

// std::lower_bound without branches that depend on the scores.
std::size_t LowerBound(const std::vector<float>& sorted, float score) {
  const float* first = sorted.data();
  for (std::size_t count = sorted.size(); count > 0;) {
    const std::size_t half = (count + 1) / 2;
    first += first[half - 1] < score ? half : 0;
    count -= half;
  }
  return static_cast<std::size_t>(first - sorted.data());
}

}  // namespace

std::size_t ScoreList::BlockOf(float score) const { return LowerBound(largest_, score); }

void ScoreList::Insert(float score) {
  ++size_;
  if (blocks_.empty()) {
    blocks_.push_back({score});
    largest_.push_back(score);
    before_.push_back(0);
    return;
  }
  const std::size_t k = std::min(BlockOf(score), blocks_.size() - 1);
  std::vector<float>& block = blocks_[k];
  block.insert(block.begin() + static_cast<std::ptrdiff_t>(LowerBound(block, score)), score);
  largest_[k] = block.back();
  for (std::size_t j = k + 1; j < before_.size(); ++j) ++before_[j];
  if (block.size() < kBlock) return;
  // The upper half becomes the next block.
  const auto half = static_cast<std::ptrdiff_t>(kBlock / 2), next = static_cast<std::ptrdiff_t>(k + 1);
  std::vector<float> upper(block.begin() + half, block.end());
  block.resize(kBlock / 2);
  largest_.insert(largest_.begin() + next, upper.back());
  largest_[k] = block.back();
  before_.insert(before_.begin() + next, before_[k] + kBlock / 2);
  blocks_.insert(blocks_.begin() + next, std::move(upper));
}

void ScoreList::Remove(float score) {
  --size_;
  const std::size_t k = BlockOf(score);
  const auto at = static_cast<std::ptrdiff_t>(k);
  std::vector<float>& block = blocks_[k];
  block.erase(block.begin() + static_cast<std::ptrdiff_t>(LowerBound(block, score)));
  for (std::size_t j = k + 1; j < before_.size(); ++j) --before_[j];
  if (!block.empty()) {
    largest_[k] = block.back();
    return;
  }
  blocks_.erase(blocks_.begin() + at);
  largest_.erase(largest_.begin() + at);
  before_.erase(before_.begin() + at);
}

std::int64_t ScoreList::Below(float score) const {
  const std::size_t k = BlockOf(score);
  if (k == blocks_.size()) return 2 * static_cast<std::int64_t>(size_);
  const std::size_t place = LowerBound(blocks_[k], score);
  const auto less = static_cast<std::int64_t>(before_[k] + place);
  if (blocks_[k][place] != score) return 2 * less;
  const float next = std::nextafter(score, std::numeric_limits<float>::infinity());
  const std::size_t end = BlockOf(next);
  const std::size_t no_more = end == blocks_.size() ? size_ : before_[end] + LowerBound(blocks_[end], next);
  return less + static_cast<std::int64_t>(no_more);
}

// Adds the pairs between this example and those of the other classes to the counts, or subtracts them.
void RankCounts::Count(std::size_t label, std::span<const float> scores, std::int64_t sign) {
  for (std::size_t other = 0; other < classes_; ++other) {
    if (other == label) continue;
    // Pair (label, other): this example should have the higher score of output `label`.
    if (outputs_ > 1 || label == 1) {
      const std::size_t r = outputs_ > 1 ? label : 0;
      doubled_[label * classes_ + other] += sign * of(r, other).Below(scores[r]);
    }
    // Pair (other, label): this example should have the lower score of output `other`.
    if (outputs_ > 1 || label == 0) {
      const std::size_t r = outputs_ > 1 ? other : 0;
      const ScoreList& higher = of(r, other);
      doubled_[other * classes_ + label] +=
          sign * (2 * static_cast<std::int64_t>(higher.size()) - higher.Below(scores[r]));
    }
  }
}

void RankCounts::Add(std::size_t label, std::span<const float> scores) {
  Count(label, scores, 1);
  for (std::size_t r = 0; r < outputs_; ++r) scores_[r * classes_ + label].Insert(scores[r]);
}

void RankCounts::Remove(std::size_t label, std::span<const float> scores) {
  for (std::size_t r = 0; r < outputs_; ++r) scores_[r * classes_ + label].Remove(scores[r]);
  Count(label, scores, -1);
}

double RankCounts::Auc() const {
  double sum = 0;
  std::size_t pairs = 0;
  for (std::size_t a = 0; a < classes_; ++a)
    for (std::size_t b = 0; b < classes_; ++b) {
      const std::size_t of_a = of(0, a).size(), of_b = of(0, b).size();
      if (a == b || of_a == 0 || of_b == 0 || (outputs_ == 1 && a == 0)) continue;
      sum += static_cast<double>(doubled_[a * classes_ + b]) /
             (2 * static_cast<double>(of_a) * static_cast<double>(of_b));
      ++pairs;
    }
  return pairs > 0 ? sum / static_cast<double>(pairs) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace okbench
