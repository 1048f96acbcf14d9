#pragma once
// SFD: stochastic functional descent (sfd-2013, chapter 3 and section 5.1), binary, no bias. Round t on k
// examples with the model f:
//
//   residual margins (eq. 3.11, bounded as in section 3.3)   rho_i = clamp(1 - y_i f(x_i), rho_min, rho_max)
//   update (OP4)   u = argmin  lambda_t/2 ||u||^2 + 1/k sum_i max(0, rho_i - y_i u(x_i)),     f <- f + u
//   in its dual    max_a  rho'a - 1/2 a'Qa,  0 <= a_i <= 1/(lambda_t k),  Q_ij = y_i y_j k(x_i,x_j),
//                  u = sum_i a_i y_i k(x_i,.)
//
// The value of OP4 is lambda_t times the value of the dual.
// Theorem 3: ||u||^2 <= 1/(lambda_t k) sum_i max(0, rho_i).
//
// The dual is solved by coordinate ascent to a relative duality gap. Alternatively, as in the thesis
// (algorithm 2), OP4 is solved by 1-slack cutting planes. A plane is the mean over the examples with rho_i >
// y_i u(x_i). That solver stops when the newest plane is violated by at most epsilon beyond the slack.
//
// The examples of a round come from the harness, or are drawn with weights rho_i (importance sampling,
// section 3.3). Importance sampling keeps the scores of the whole training set up to date.
//
// Cost per round: k |S| kernel evaluations for the scores and k (k + 1) / 2 for Q. With importance sampling:
// N per example with a_i > 0 instead of the scores.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "learners/bases/binary_learner.h"
#include "learners/bases/functional_descent.h"
#include "learners/bases/residual_sampler.h"
#include "learners/core/random.h"
#include "learners/solvers/box_qp.h"

namespace okbench::sfd {

struct Options : DescentOptions {
  double rho_min = 0;       ///< lower bound, < rho_max; ignored (-infinity) without bounded_below
  double rho_max = 1;       ///< upper bound; 1, the largest loss, in the thesis
  bool importance = false;  ///< draw a round's examples with weights rho_i
  /// Throws InvalidArgument if the schedule does not allow this c, or if rho_min >= rho_max.
  void Validate() const;
};

template <class T>
class Sfd final : public FunctionalDescent<T, BinaryLearner<T>>, public Resumable {
 public:
  Sfd(const Options& options, const LearnerContext<T>& context);

  /// The columns of FunctionalDescent, and `terms`: terms added so far, repeated examples counted again.
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

  Options options_;
  double rho_min_;
  std::optional<ResidualSampler<T>> sampler_;  // only with importance sampling
  Random random_;
  std::vector<std::uint32_t> added_;  // the examples of an update, with their coefficients
  std::vector<double> coefficients_;
  BoxQpSolver<T> solver_;
  std::uint64_t terms_ = 0;
  Eigen::ArrayXd rho_, a_;
};

extern template class Sfd<float>;
extern template class Sfd<double>;

}  // namespace okbench::sfd
