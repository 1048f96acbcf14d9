#pragma once
// SFD: stochastic functional descent (sfd-2013, chapters 3 and 5.1), binary, no bias.
//
// Round t on k examples with the model f:
//   residual margins (eq. 3.11, bounded as in section 3.3)   rho_i = clamp(1 - y_i f(x_i), rho_min, rho_max)
//   update (OP4)   u = argmin  lambda_t/2 ||u||^2 + 1/k sum_i max(0, rho_i - y_i u(x_i)),     f <- f + u
//   in its dual    max_a  rho'a - 1/2 a'Qa,  0 <= a_i <= 1/(lambda_t k),  Q_ij = y_i y_j k(x_i,x_j),
//                  u = sum_i a_i y_i k(x_i,.)
// The objective's value is lambda_t times the dual's.
// Theorem 3: ||u||^2 <= 1/(lambda_t k) sum_i max(0, rho_i).
//
// The dual is solved by coordinate ascent to a relative duality gap, or, as in the thesis (algorithm 2), by
// 1-slack cutting planes: a plane is the mean over the examples with rho_i > y_i u(x_i); the solver stops
// when the newest plane is violated by no more than epsilon beyond the slack.

#include <cstdint>
#include <span>

#include "learners/bases/binary_learner.h"
#include "learners/bases/functional_descent.h"
#include "learners/solvers/box_qp.h"

namespace okbench::sfd {

struct Options : DescentOptions {
  double rho_min = 0;  ///< below rho_max; without bounded_below it stands for -infinity
  double rho_max = 1;  ///< the largest loss, 1
  /// Throws InvalidArgument for a c that the schedule does not have, or an empty range of the residual
  /// margin.
  void Validate() const;
};

template <class T>
class Sfd final : public FunctionalDescent<T, BinaryLearner<T>> {
 public:
  Sfd(const Options& options, const LearnerContext<T>& context);

 protected:
  using typename FunctionalDescent<T, BinaryLearner<T>>::Products;
  void CountBatch(RoundOutcome& outcome) override;
  double Residuals() override;
  bool FillGram(std::span<const std::uint32_t> all) override { return this->batch_.SignedGram(all); }
  QpResult Solve(double lambda, double cap) override;
  Products AddUpdate() override;

 private:
  Options options_;
  double rho_min_;
  BoxQpSolver<T> solver_;
  Eigen::ArrayXd rho_, a_;
};

extern template class Sfd<float>;
extern template class Sfd<double>;

}  // namespace okbench::sfd
