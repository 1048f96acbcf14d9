#pragma once
// Structural SFD for boxes (sfd-2013, sections 5.2 and 5.3), with the rounds of structural_sfd.h. An image
// has thousands of outputs, too many to store for all pairs of examples. The update therefore always uses
// algorithm 2, 1-slack cutting planes: a plane is a mean over the batch of psi(x_i, y_i) - psi(x_i, y^_i).
//
// `requested` counts f on all boxes of the batch, then each plane's function on them.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "boxes/learners/box_learner.h"
#include "learners/bases/functional_descent.h"

namespace okbench::structural_sfd {

/// A plane or an update: coefficients of image-output pairs of the batch.
struct BoxPlane {
  struct Term {
    std::size_t example = 0;  ///< index in the batch
    std::size_t output = 0;
    double value = 0;
  };
  std::vector<Term> terms;  // sorted by example and output, without duplicates

  BoxPlane& operator+=(const BoxPlane& other);
  friend BoxPlane operator*(double factor, BoxPlane plane);
  friend BoxPlane operator/(BoxPlane plane, double divisor);
};

class BoxSfd final : public DescentRounds<BoxLearner> {
 public:
  template <class T>
  BoxSfd(const DescentOptions& options, const LearnerContext<T>& context)
      : DescentRounds(options, "structural-sfd", context), options_(options) {}

  std::vector<std::string> Columns() const override;
  void Report(std::span<double> out) const override;

 protected:
  bool ScoreBatch(std::span<const std::uint32_t> batch, RoundOutcome& outcome) override;
  double Residuals() override;
  bool Prepare() override { return true; }
  QpResult Solve(double lambda, double cap) override;
  Products AddUpdate() override;

 private:
  class Planes;

  DescentOptions options_;
  std::vector<std::uint32_t> batch_;
  ScoredOutputs scored_;  // outputs of the batch; deltas become residual margins
  BoxPlane update_;
  Eigen::VectorXd u_;
};

}  // namespace okbench::structural_sfd
