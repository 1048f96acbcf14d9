#include "datasets/rows/stream.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/error.h"
#include "learners/core/random.h"

namespace okbench {
namespace {

constexpr std::uint64_t kCountingLength = 6000;

std::vector<std::uint32_t> CountingSequence(std::span<const std::int32_t> classes, std::uint64_t limit,
                                            Random* draws) {
  std::vector<std::vector<std::uint32_t>> rows(10);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i] < 0 || classes[i] > 9) throw DataError("the counting sequence needs class indices 0 to 9");
    rows[static_cast<std::size_t>(classes[i])].push_back(static_cast<std::uint32_t>(i));
  }
  if (draws != nullptr)
    for (auto& of_digit : rows) Shuffle(std::span(of_digit), *draws);
  std::vector<std::size_t> next(10, 0);
  std::vector<std::uint32_t> sequence;
  for (std::uint64_t t = 0; t < limit; ++t) {
    const std::uint64_t counter = t / 3 % 1000;
    const std::uint64_t place = t % 3;
    const auto digit = static_cast<std::size_t>(place == 0   ? counter / 100
                                                : place == 1 ? counter / 10 % 10
                                                             : counter % 10);
    if (next[digit] == rows[digit].size())
      throw DataError("the counting sequence needs more rows of digit " + std::to_string(digit) +
                      "; the data set has " + std::to_string(rows[digit].size()));
    sequence.push_back(rows[digit][next[digit]++]);
  }
  return sequence;
}

// The next `count` rows with this share of positive labels.
std::vector<std::uint32_t> WithShare(const std::vector<std::uint32_t>& rows,
                                     std::span<const std::int32_t> classes, std::uint64_t count, double share,
                                     Random& random) {
  std::array<std::size_t, 2> next = {0, 0};  // positions of the next negative and positive row
  std::vector<std::uint32_t> chosen;
  while (chosen.size() < count) {
    const bool positive = random.Uniform() < share;
    std::size_t& at = next[positive ? 1 : 0];
    while (at < rows.size() && (classes[rows[at]] > 0) != positive) ++at;
    if (at == rows.size())
      throw DataError(std::string("data.positive_share: the data has no ") +
                      (positive ? "positive" : "negative") + " row left after " +
                      std::to_string(chosen.size()) + " of " + std::to_string(count) +
                      " examples; lower data.max_examples");
    chosen.push_back(rows[at++]);
  }
  return chosen;
}

}  // namespace

const char* OrderName(Order order) {
  static const char* const kNames[] = {"file",           "permutation", "counting",
                                       "counting-drawn", "sliding",     "uniform"};
  return kNames[static_cast<int>(order)];
}

bool IsCounting(Order order) { return order == Order::kCounting || order == Order::kCountingDrawn; }

std::uint64_t StreamLength(const StreamSpec& spec, std::uint64_t rows) {
  const std::uint64_t all = IsCounting(spec.order) ? kCountingLength : rows;
  return (spec.limit > 0 ? std::min(spec.limit, all) : all) * spec.epochs;
}

std::vector<std::uint32_t> MakeStream(const StreamSpec& spec, std::span<const std::int32_t> classes,
                                      std::uint64_t seed) {
  if (classes.empty()) throw DataError("the data set is empty");
  if (spec.order == Order::kSliding) throw DataError("order sliding is only for mini-batches");
  const std::uint64_t per_epoch = StreamLength({.order = spec.order, .limit = spec.limit}, classes.size());
  Random random(seed);
  std::vector<std::uint32_t> stream;
  for (std::uint64_t epoch = 0; epoch < spec.epochs; ++epoch) {
    std::vector<std::uint32_t> rows;
    if (IsCounting(spec.order)) {
      rows = CountingSequence(classes, per_epoch, spec.order == Order::kCountingDrawn ? &random : nullptr);
    } else if (spec.order == Order::kUniform) {
      for (std::uint64_t t = 0; t < per_epoch; ++t)
        rows.push_back(static_cast<std::uint32_t>(random.Below(classes.size())));
    } else {
      rows.resize(classes.size());
      std::iota(rows.begin(), rows.end(), 0U);
      if (spec.order == Order::kPermutation) Shuffle(std::span(rows), random);
      if (spec.positive_share) rows = WithShare(rows, classes, per_epoch, *spec.positive_share, random);
      rows.resize(per_epoch);
    }
    stream.insert(stream.end(), rows.begin(), rows.end());
  }
  return stream;
}

std::uint64_t BatchesLength(const StreamSpec& spec, std::uint64_t rows, std::uint64_t k) {
  if (spec.order != Order::kUniform && spec.order != Order::kSliding) return spec.epochs * rows;
  return std::max<std::uint64_t>(1, (spec.epochs * rows + k / 2) / k) * k;
}

Batches MakeBatches(const StreamSpec& spec, std::uint64_t rows, std::uint64_t k, std::uint64_t seed) {
  if (k < 1 || k > rows)
    throw DataError("a mini-batch of " + std::to_string(k) + " examples cannot be drawn from " +
                    std::to_string(rows));
  if (IsCounting(spec.order)) throw DataError("the counting sequence does not support mini-batches");
  Batches batches;
  batches.starts.push_back(0);
  std::vector<std::uint32_t> all(rows);
  std::iota(all.begin(), all.end(), 0U);
  Random random(seed);
  const std::uint64_t length = BatchesLength(spec, rows, k);
  batches.rows.reserve(length);
  batches.starts.reserve(length / k + 1);
  const auto cut = [&](std::size_t first, std::size_t last) {
    batches.rows.insert(batches.rows.end(), all.begin() + static_cast<std::ptrdiff_t>(first),
                        all.begin() + static_cast<std::ptrdiff_t>(last));
    batches.starts.push_back(batches.rows.size());
  };
  if (spec.order == Order::kUniform) {
    for (std::uint64_t drawn = 0; drawn < length; drawn += k) {
      DrawToFront(std::span(all), k, random);  // uniform for any initial order
      cut(0, k);
    }
    return batches;
  }
  if (spec.order == Order::kSliding) {
    std::uint64_t first = rows;
    for (std::uint64_t drawn = 0; drawn < length; drawn += k) {
      if (first + k > rows) {
        std::iota(all.begin(), all.end(), 0U);
        Shuffle(std::span(all), random);
        first = 0;
      }
      cut(first, first + k);
      first += std::max<std::uint64_t>(1, k / 2);
    }
    return batches;
  }
  for (std::uint64_t epoch = 0; epoch < spec.epochs; ++epoch) {
    if (spec.order == Order::kPermutation) {
      std::iota(all.begin(), all.end(), 0U);
      Shuffle(std::span(all), random);
    }
    for (std::uint64_t first = 0; first < rows; first += k) cut(first, std::min(rows, first + k));
  }
  return batches;
}

std::vector<std::uint32_t> FoldRows(std::uint64_t rows, std::uint64_t folds, std::uint64_t fold,
                                    bool held_out, std::uint64_t seed) {
  if (folds < 2 || folds > rows || fold >= folds)
    throw DataError(std::to_string(rows) + " rows cannot be split into " + std::to_string(folds) + " folds");
  std::vector<std::uint32_t> dealt(rows);
  std::iota(dealt.begin(), dealt.end(), 0U);
  Random random(seed);
  Shuffle(std::span(dealt), random);
  std::vector<std::uint32_t> chosen;
  for (std::uint64_t place = 0; place < rows; ++place)
    if ((place % folds == fold) == held_out) chosen.push_back(dealt[place]);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace okbench
