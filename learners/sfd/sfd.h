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
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "learners/bases/binary_learner.h"
#include "learners/bases/mini_batch.h"
#include "learners/bases/update_schedule.h"
#include "learners/solvers/box_qp.h"
#include "learners/support/expansion.h"

namespace okbench::sfd {

struct Options {
  UpdateSchedule::Kind schedule = UpdateSchedule::Kind::kSfd1;
  double c = 1;               ///< of the schedule; 1 for kSfd1 and kSfd2
  double exponent = 1;        ///< of kPower
  double rho_min = 0;         ///< below rho_max
  bool bounded_below = true;  ///< false: rho_min stands for -infinity
  double rho_max = 1;         ///< the largest loss, 1
  bool planes = false;        ///< the thesis' cutting planes instead of coordinate ascent
  double gap = 1e-6;          ///< relative duality gap of coordinate ascent
  double epsilon = 0.01;      ///< tolerance of the cutting planes, in units of the loss
  /// Throws InvalidArgument for a c that the schedule does not have, or an empty range of the residual
  /// margin.
  void Validate() const;
};

template <class T>
class Sfd final : public BinaryLearner<T> {
 public:
  Sfd(const Options& options, const LearnerContext<T>& context);

  RoundOutcome Round(std::span<const std::uint32_t> batch) override;
  std::vector<std::string> Columns() const override;
  void Report(std::span<double> out) const override;
  std::size_t support_vectors() const override { return expansion_.members().size(); }

  const Expansion& expansion() const { return expansion_; }
  /// ||f||^2, kept up by ||f + u||^2 = ||f||^2 + 2 sum_i a_i y_i f(x_i) + ||u||^2.
  double squared_norm() const { return squared_norm_; }

 protected:
  std::span<const double> Coefficients() const override { return expansion_.coefficients(); }

 private:
  QpResult SolvePlanes(double lambda);

  Options options_;
  UpdateSchedule schedule_;
  double rho_min_;
  MiniBatch<T> batch_;
  Expansion expansion_;
  BoxQpSolver<T> solver_;
  std::vector<double> scores_;
  Eigen::ArrayXd rho_, a_;
  std::vector<std::uint32_t> all_;
  std::uint64_t t_ = 0;
  double lambda_ = 0, update_norm_ = 0, bound_ = 0, relative_gap_ = 0, squared_norm_ = 0;
  std::size_t solver_steps_ = 0;
};

extern template class Sfd<float>;
extern template class Sfd<double>;

}  // namespace okbench::sfd
