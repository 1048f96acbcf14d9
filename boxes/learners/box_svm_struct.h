#pragma once
// SVMstruct for boxes, with the rounds of svm_struct.h. Each round evaluates its model on all boxes of the
// training images. `requested` counts, per round: every box against every support box, then the values
// between the plane's support boxes and those of all planes, each pair once.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "boxes/learners/box_learner.h"
#include "learners/bases/cutting_plane_set.h"

namespace okbench::svm_struct {

struct Options;

class BoxSvmStruct final : public BoxLearner {
 public:
  template <class T>
  BoxSvmStruct(const Options& options, const LearnerContext<T>& context);

  RoundOutcome Round(std::span<const std::uint32_t> batch) override;
  std::vector<std::string> Columns() const override {
    return {"primal", "slack", "planes", "oracle_calls", "boxes_scored"};
  }
  void Report(std::span<double> out) const override;

 private:
  struct Plane {
    std::vector<std::uint32_t> examples;  // rows of support boxes, without duplicates
    std::vector<double> values;           // their coefficients
  };

  void AddPlane(Plane plane, double offset);
  void Assemble();

  double lambda_;
  CuttingPlaneSet<Plane> planes_;
  BoxFunction scratch_;
  std::vector<double> coefficients_;
  double squared_norm_ = 0, primal_ = 0;
};

}  // namespace okbench::svm_struct
