#pragma once
// What a model shows on test images.

#include <cstdint>
#include <optional>
#include <vector>

#include "learners/api/learner.h"
#include "learners/boxes/word_images.h"

namespace okbench {

/// How many objects the best boxes cover: recall[j] is the share of them that one of the best `boxes` boxes
/// of its image overlaps by at least j / (recall.size() - 1). Difficult objects do not count.
struct RecallCurve {
  std::uint64_t boxes = 0;
  double area = 0;  ///< under the curve from 0 to 1: the mean over the objects of the largest overlap
  std::vector<double> recall;
};

/// Branch and bound beside the search of all boxes, over images.
struct BoundsOutcome {
  std::uint64_t bounded = 0;  ///< sets of boxes whose bound was evaluated
  std::uint64_t boxes = 0;    ///< that the images have
  std::uint64_t missed = 0;   ///< images where it found another box
};

/// The best box of an image, and the object that it overlaps most.
struct LocalisedBox {
  Box found, truth;
  std::uint64_t number = 0;  ///< the image's
};

/// What learners of boxes add to a test.
struct BoxTestDetails final : TestDetails {
  std::vector<LocalisedBox> localised;     ///< one per test image
  std::vector<RecallCurve> recall;         ///< empty unless BoxOptions::recall
  std::optional<BoundsOutcome> bounds;     ///< set if BoxOptions::bounds
};

/// Implemented by learners of boxes.
class ScoresBoxes {
 public:
  virtual ~ScoresBoxes() = default;
  /// Boxes scored for learning so far.
  virtual std::uint64_t boxes_scored() const = 0;
};

}  // namespace okbench
