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

#include "learners/bases/mini_batch.h"
#include "learners/bases/task_learner.h"
#include "learners/bases/update_schedule.h"
#include "learners/solvers/output_dual.h"
#include "learners/support/expansion.h"

namespace okbench::structural_sfd {

struct Options : TaskOptions {
  UpdateSchedule::Kind schedule = UpdateSchedule::Kind::kSfd1;
  double c = 1;               ///< of the schedule; 1 for kSfd1 and kSfd2
  double exponent = 1;        ///< of kPower
  bool bounded_below = true;  ///< residual margins are at least 0
  bool planes = false;        ///< algorithm 2 instead of the dual
  double gap = 1e-6;          ///< relative duality gap of the dual
  double epsilon = 0.01;      ///< tolerance of the cutting planes, in units of the loss
  void Validate() const { UpdateSchedule{schedule, c, exponent}.Validate(); }
};

template <class T>
class StructuralSfd final : public TaskLearner<T> {
 public:
  StructuralSfd(const Options& options, const LearnerContext<T>& context);

  RoundOutcome Round(std::span<const std::uint32_t> batch) override;
  std::vector<std::string> Columns() const override;
  void Report(std::span<double> out) const override;
  std::size_t support_vectors() const override { return expansion_.members().size(); }

  const Expansion& expansion() const { return expansion_; }
  /// ||f||^2, kept up by ||f + u||^2 = ||f||^2 + 2 sum_i tau_i . f(x_i, .) + ||u||^2.
  double squared_norm() const { return squared_norm_; }

 protected:
  std::span<const double> Coefficients() const override { return expansion_.coefficients(); }

 private:
  void Residuals(RoundOutcome& outcome);
  QpResult SolvePlanes(double lambda);

  Options options_;
  UpdateSchedule schedule_;
  MiniBatch<T> batch_;
  Expansion expansion_;
  OutputDualSolver<T> solver_;
  Eigen::MatrixXd kappa_;            // empty: the identity
  std::vector<double> scores_;       // g, [output][example of the batch]
  RowMatrix<double> f_, rho_, tau_;  // a row an example of the batch
  std::vector<std::size_t> truths_;
  std::vector<std::uint32_t> all_;
  std::uint64_t t_ = 0;
  double lambda_ = 0, update_norm_ = 0, bound_ = 0, relative_gap_ = 0, squared_norm_ = 0;
  std::size_t solver_steps_ = 0;
};

extern template class StructuralSfd<float>;
extern template class StructuralSfd<double>;

}  // namespace okbench::structural_sfd
