#pragma once
// BCFW for boxes, with the steps of bcfw.h. a_i has one entry for each box that a step of example i has moved
// to. `requested` counts, per step: every box of the image against every support box, and the values among
// the boxes of a_i and the new box, each pair once. The duality gap adds all boxes of all images.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "boxes/learners/box_learner.h"
#include "learners/core/random.h"

namespace okbench::bcfw {

struct Options;

class BoxBcfw final : public BoxLearner {
 public:
  template <class T>
  BoxBcfw(const Options& options, const LearnerContext<T>& context);

  RoundOutcome Round(std::span<const std::uint32_t> batch) override;
  std::vector<std::string> Columns() const override {
    return {"primal", "dual", "relative_gap", "oracle_calls", "boxes_scored"};
  }
  void Report(std::span<double> out) const override;

 private:
  // Weight of an output of an example. The truth has the rest of C.
  struct Weight {
    std::size_t output = 0;
    double value = 0;  ///< > 0
  };

  void Step(std::uint32_t i, RoundOutcome& outcome);
  void Measure();

  double lambda_, gap_, cap_;
  Random random_;
  std::vector<std::uint32_t> order_;
  std::vector<std::vector<Weight>> weights_;  // [example]
  ScoredOutputs scored_;                      // outputs of the current image
  double primal_ = 0, dual_ = 0;
};

}  // namespace okbench::bcfw
