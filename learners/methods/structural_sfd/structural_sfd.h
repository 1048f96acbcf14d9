#pragma once
// Structural SFD (sfd-2013, algorithm 1 with OP3, and its multiclass case OP5): stochastic functional descent
// over any task whose outputs can be listed.
//
// Round t on k examples with the model f:
//   residual margins   rho_iy = clamp(Delta(y_i, y) - f(x_i, y_i) + f(x_i, y), rho_min, max Delta),  y != y_i
//   update (OP3)       u = argmin lambda_t/2 ||u||^2
//                                 + 1/k sum_i max(0, max_y [rho_iy + u(x_i, y) - u(x_i, y_i)])
//                      f <- f + u
// with rho_min = 0 (section 3.3) or without a lower bound. Theorem 3: ||u||^2 <= 1/(lambda_t k) sum_i max(0,
// max_y rho_iy). With binary labels this is sfd's update.
//
// The update is found in its dual to a relative gap (solvers/output_dual.h), or by the thesis' algorithm 2:
// 1-slack cutting planes, a plane being the mean over the examples of Psi(x_i, y_i) - Psi(x_i, y^_i), y^_i
// the most violating output, where it violates; the solver stops when the newest plane is violated by no more
// than epsilon beyond the slack.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/api/parameter_table.h"
#include "learners/bases/functional_descent.h"
#include "learners/bases/task_learner.h"
#include "learners/solvers/output_dual.h"

namespace okbench::structural_sfd {

struct Options : TaskOptions, DescentOptions {};

/// The method's parameters.
ParameterTable<Options> Parameters();

template <class T>
class StructuralSfd final : public FunctionalDescent<T, TaskLearner<T>> {
 public:
  StructuralSfd(const Options& options, const LearnerContext<T>& context);

  std::vector<std::string> Columns() const override;
  void Report(std::span<double> out) const override;

 protected:
  using typename FunctionalDescent<T, TaskLearner<T>>::Products;
  void CountBatch(RoundOutcome& outcome) override;
  double Residuals() override;
  bool FillGram(std::span<const std::uint32_t> all) override { return this->batch_.Gram(all); }
  QpResult Solve(double lambda, double cap) override;
  Products AddUpdate() override;

 private:
  Options options_;
  OutputDualSolver<T> solver_;
  Eigen::MatrixXd kappa_;                // empty: the identity
  RowMatrix<double> f_, rho_, tau_, u_;  // a row an example of the batch
  std::vector<std::size_t> truths_;
};

extern template class StructuralSfd<float>;
extern template class StructuralSfd<double>;

}  // namespace okbench::structural_sfd
