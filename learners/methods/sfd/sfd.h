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
//
// The examples of a round are those drawn for it, or drawn anew with weights rho_i (section 3.3: importance
// sampling). The residual margins of the whole training set are then kept up to date, which asks for the
// kernel rows of every round's examples over it.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "learners/bases/binary_learner.h"
#include "learners/bases/functional_descent.h"
#include "learners/core/random.h"
#include "learners/solvers/box_qp.h"

namespace okbench::sfd {

struct Options : DescentOptions {
  double rho_min = 0;       ///< below rho_max; without bounded_below it stands for -infinity
  double rho_max = 1;       ///< the largest loss, 1
  bool importance = false;  ///< a round's examples are drawn with weights rho_i
  /// Throws InvalidArgument for a c that the schedule does not have, or an empty range of the residual
  /// margin.
  void Validate() const;
};

template <class T>
class Sfd final : public FunctionalDescent<T, BinaryLearner<T>>, public Resumable {
 public:
  Sfd(const Options& options, const LearnerContext<T>& context);

  /// Those of every descent, and the terms added so far, examples that came again counted again.
  std::vector<std::string> Columns() const override;
  void Report(std::span<double> out) const override;
  std::span<const std::uint32_t> RetainedRows() const override { return this->expansion_.members(); }
  void OnRowsAppended() override;
  void Serialize(Archive& archive) override;

 protected:
  using typename FunctionalDescent<T, BinaryLearner<T>>::Products;
  bool ScoreBatch(std::span<const std::uint32_t> batch, RoundOutcome& outcome) override;
  void CountBatch(RoundOutcome& outcome) override;
  double Residuals() override;
  bool FillGram(std::span<const std::uint32_t> all) override { return this->batch_.SignedGram(all); }
  QpResult Solve(double lambda, double cap) override;
  Products AddUpdate() override;

 private:
  double Residual(double margin) const;
  std::span<const std::uint32_t> DrawByResidual(std::size_t count);
  void FollowAll();

  Options options_;
  double rho_min_;
  // Of importance sampling: the whole training set, its scores, and its order in the last draw.
  std::optional<SupportBlocks<T>> all_blocks_;
  AlignedVector<double> all_scores_;
  std::vector<std::pair<double, std::uint32_t>> keys_;
  std::vector<std::uint32_t> drawn_;
  Random random_;
  BoxQpSolver<T> solver_;
  std::uint64_t terms_ = 0;
  Eigen::ArrayXd rho_, a_;
};

extern template class Sfd<float>;
extern template class Sfd<double>;

}  // namespace okbench::sfd
