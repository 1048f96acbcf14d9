#include "boxes/learners/recall.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numeric>

namespace okbench {

std::vector<std::size_t> SuppressOverlaps(const BoxList& list, std::span<const double> scores, double overlap,
                                          std::size_t most) {
  std::vector<std::size_t> order(scores.size()), accepted;
  std::vector<Box> boxes;  // accepted boxes, contiguous
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto before = [&](std::size_t a, std::size_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  };
  const double less = overlap * (1 - 1e-9);
  // Sorts in pieces: few boxes are suppressed, so only a few more than `most` are examined.
  for (std::size_t sorted = 0; sorted < order.size() && accepted.size() < most;) {
    const std::size_t end = std::min(order.size(), sorted + 2 * most);
    const auto at = [&](std::size_t i) { return order.begin() + static_cast<std::ptrdiff_t>(i); };
    std::partial_sort(at(sorted), at(end), order.end(), before);
    for (; sorted < end && accepted.size() < most; ++sorted) {
      const Box& box = list[order[sorted]];
      // Boxes that overlap this much have close corners. This cheap test rejects most pairs.
      const auto most_apart = [&](int side) {
        return static_cast<int>(std::min((1 / less - 1) * side, 1e6)) + 1;
      };
      const int across = most_apart(box.width()), down = most_apart(box.height());
      const bool free = std::none_of(boxes.begin(), boxes.end(), [&](const Box& other) {
        return std::abs(box.left - other.left) <= across && std::abs(box.top - other.top) <= down &&
               Overlap(box, other) >= overlap;
      });
      if (!free) continue;
      accepted.push_back(order[sorted]);
      boxes.push_back(box);
    }
  }
  return accepted;
}

void RecallMeasure::Add(const BoxList& list, std::span<const double> scores,
                        std::span<const ImageObject> objects) {
  const std::vector<std::size_t> boxes = SuppressOverlaps(list, scores, suppression_, kMaxBoxes);
  for (const auto& [truth, difficult] : objects) {
    if (difficult) continue;
    double best = 0;
    std::size_t looked = 0;
    for (std::size_t c = 0; c < std::size(kCounts); ++c) {
      for (; looked < std::min(kCounts[c], boxes.size()); ++looked)
        best = std::max(best, Overlap(truth, list[boxes[looked]]));
      best_[c].push_back(best);
    }
  }
}

std::vector<RecallCurve> RecallMeasure::Curves() const {
  std::vector<RecallCurve> curves;
  for (std::size_t c = 0; c < std::size(kCounts); ++c) {
    RecallCurve curve{.boxes = kCounts[c], .area = 0, .recall = {}};
    const auto objects = static_cast<double>(best_[c].size());
    for (const double overlap : best_[c]) curve.area += overlap / objects;
    for (std::size_t j = 0; j <= kSteps; ++j) {
      const double least = static_cast<double>(j) / kSteps;
      const auto covered =
          std::count_if(best_[c].begin(), best_[c].end(), [&](double overlap) { return overlap >= least; });
      curve.recall.push_back(static_cast<double>(covered) / objects);
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

}  // namespace okbench
