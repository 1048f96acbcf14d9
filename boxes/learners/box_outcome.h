#pragma once
// Results of a model on test images.

#include <cstdint>
#include <optional>
#include <vector>

#include "boxes/learners/word_images.h"
#include "learners/api/learner.h"

namespace okbench {

/// Share of the objects that the best boxes cover. recall[j] is the share of objects that one of the best
/// `boxes` boxes of its image overlaps by at least j / (recall.size() - 1). Difficult objects do not count.
struct RecallCurve {
  std::uint64_t boxes = 0;  ///< number of best boxes per image
  double area = 0;          ///< area under the curve: mean over the objects of the largest overlap, in [0, 1]
  std::vector<double> recall;
};

/// Branch and bound compared with exhaustive search, summed over images.
struct BoundsOutcome {
  std::uint64_t bounded = 0;  ///< sets of boxes whose bound was evaluated
  std::uint64_t boxes = 0;    ///< boxes of the images
  std::uint64_t missed = 0;   ///< images where branch and bound found another box
};

/// The best box of an image, and the object that this box overlaps most.
struct LocalisedBox {
  Box prediction, truth;
  std::uint64_t number = 0;  ///< WordImage::number
};

/// Additional test results of box learners.
struct BoxTestDetails final : TestDetails {
  std::vector<LocalisedBox> localised;  ///< one per test image
  std::vector<RecallCurve> recall;      ///< empty unless BoxOptions::recall
  std::optional<BoundsOutcome> bounds;  ///< set if BoxOptions::bounds
};

/// Implemented by box learners.
class ScoresBoxes {
 public:
  virtual ~ScoresBoxes() = default;
  /// Return the number of boxes scored for learning so far.
  virtual std::uint64_t boxes_scored() const = 0;
};

}  // namespace okbench
