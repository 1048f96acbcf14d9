#pragma once
// Detection without thresholds (sfd-2013, section 5.3; Vedaldi et al. 2009): selects the best boxes of an
// image after suppression of overlaps, and measures the share of objects that they cover.

#include <cstdint>
#include <span>
#include <vector>

#include "boxes/learners/box_outcome.h"
#include "boxes/learners/box_space.h"

namespace okbench {

/// Returns boxes by descending score, the lowest output first among ties. Skips boxes that overlap an
/// accepted box by `overlap` or more. Stops at `most` boxes. REQUIRES: scores are finite.
std::vector<std::size_t> SuppressOverlaps(const BoxList& list, std::span<const double> scores, double overlap,
                                          std::size_t most);

/// Recall curves over a test set, for the best 1, 10, 100 and 500 boxes after suppression.
class RecallMeasure {
 public:
  static constexpr std::size_t kMaxBoxes = 500;
  /// `suppression`: overlap from which a box is suppressed, in (0, 1].
  explicit RecallMeasure(double suppression) : suppression_(suppression) {}
  void Add(const BoxList& list, std::span<const double> scores, std::span<const ImageObject> objects);
  std::vector<RecallCurve> Curves() const;

 private:
  static constexpr std::size_t kCounts[] = {1, 10, 100, kMaxBoxes};
  static constexpr std::size_t kSteps = 100;
  double suppression_;
  std::vector<double> best_[std::size(kCounts)];  // [count][object]: largest overlap
};

}  // namespace okbench
