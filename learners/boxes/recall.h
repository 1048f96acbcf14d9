#pragma once
// Detection without decisions (sfd-2013, section 5.3; Vedaldi et al. 2009): the best boxes of an image, none
// of which overlaps another by much, and the objects that they cover.

#include <cstdint>
#include <span>
#include <vector>

#include "learners/boxes/box_outcome.h"
#include "learners/boxes/box_space.h"

namespace okbench {

/// Boxes by descending score, the lowest output first among equals; one that overlaps an accepted box by
/// `overlap` or more is left out. Stops at `most` boxes. Throws nothing; scores are finite.
std::vector<std::size_t> SuppressOverlaps(const BoxList& list, std::span<const double> scores, double overlap,
                                          std::size_t most);

/// Curves over the images of a test set, for the best 1, 10, 100 and 500 boxes after suppression at 0.9.
class RecallMeasure {
 public:
  static constexpr std::size_t kMostBoxes = 500;
  static constexpr double kSuppression = 0.9;
  void Add(const BoxList& list, std::span<const double> scores, std::span<const ImageObject> objects);
  std::vector<RecallCurve> Curves() const;

 private:
  static constexpr std::size_t kCounts[] = {1, 10, 100, kMostBoxes};
  static constexpr std::size_t kSteps = 100;
  std::vector<double> best_[std::size(kCounts)];  // by object: its largest overlap
};

}  // namespace okbench
