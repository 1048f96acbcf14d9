#pragma once
// Structural SFD (sfd-2013, algorithm 1 with OP3; multiclass case OP5): stochastic functional descent over
// any task whose outputs can be enumerated. Round t on k examples with the model f:
//
//   residual margins   rho_iy = clamp(Delta(y_i, y) - f(x_i, y_i) + f(x_i, y), rho_min, max Delta),  y != y_i
//   update (OP3)       u = argmin lambda_t/2 ||u||^2
//                                 + 1/k sum_i max(0, max_y [rho_iy + u(x_i, y) - u(x_i, y_i)])
//                      f <- f + u
//
// rho_min is 0 (section 3.3) or -infinity. Theorem 3: ||u||^2 <= 1/(lambda_t k) sum_i max(0, max_y rho_iy).
// With binary labels this is the update of sfd.
//
// The dual of the update is solved to a relative gap (solvers/output_dual.h). Alternatively, algorithm 2 of
// the thesis solves the update by 1-slack cutting planes. A plane is the mean over the violating examples of
// Psi(x_i, y_i) - Psi(x_i, y^_i), where y^_i is the most violating output. That solver stops when the newest
// plane is violated by at most epsilon beyond the slack.
//
// The examples of a round come from the harness, or are drawn with weights max_y rho_iy (importance sampling,
// section 3.3). The thesis uses rho of the most violating output instead of the maximum, because it does not
// enumerate outputs; here they are enumerated.
//
// Cost per round: k |S| kernel evaluations for the scores and k (k + 1) / 2 for the kernel matrix of the
// batch; k oracle calls, and k more per cutting plane. Importance sampling: N kernel evaluations per example
// with a nonzero coefficient instead of the scores.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "learners/api/parameter_table.h"
#include "learners/bases/functional_descent.h"
#include "learners/bases/residual_sampler.h"
#include "learners/bases/task_learner.h"
#include "learners/methods/structural_sfd/output_dual.h"

namespace okbench::structural_sfd {

struct Options : TaskOptions, DescentOptions {
  bool importance = false;  ///< draw a round's examples with weights max_y rho_iy
};

/// Parameter table of the learner.
ParameterTable<Options> Parameters();

template <class T>
class StructuralSfd final : public FunctionalDescent<T, TaskLearner<T>> {
 public:
  StructuralSfd(const Options& options, const LearnerContext<T>& context);

  std::vector<std::string> Columns() const override;
  void Report(std::span<double> out) const override;

 protected:
  using typename FunctionalDescent<T, TaskLearner<T>>::Products;
  bool ScoreBatch(std::span<const std::uint32_t> batch, RoundOutcome& outcome) override;
  void CountBatch(RoundOutcome& outcome) override;
  double Residuals() override;
  bool FillGram(std::span<const std::uint32_t> all) override { return this->batch_.Gram(all); }
  QpResult Solve(double lambda, double cap) override;
  Products AddUpdate() override;

 private:
  double Residual(std::size_t truth, std::size_t y, std::span<const double> f) const;
  double LargestResidual(std::uint32_t i);
  void AddToSampler();

  Options options_;
  double lowest_;                              // rho_min
  std::optional<ResidualSampler<T>> sampler_;  // only with importance sampling
  Random random_;
  std::vector<double> outputs_;  // scratch: f(x_i, .)
  OutputDualSolver<T> solver_;
  Eigen::MatrixXd kappa_;                // kernel between outputs; empty: the identity
  RowMatrix<double> f_, rho_, tau_, u_;  // [example of the batch][output]
  std::vector<std::size_t> truths_;      // true output by example of the batch
};

extern template class StructuralSfd<float>;
extern template class StructuralSfd<double>;

}  // namespace okbench::structural_sfd
