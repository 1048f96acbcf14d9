#pragma once
// Linear online SVM (Bagnell 2010; linear-2010, algorithm 1): stochastic subgradient descent on
// lambda/2 ||w||^2 + mean hinge loss (eq. 1), binary, no bias. Step t = 1, 2, ... on k examples, with
// alpha_t = 1/(lambda t) and V the examples with y_i <w, x_i> < 1:
//
//   w <- (1 - alpha_t lambda) w + alpha_t/k sum_{i in V} y_i x_i
//   w <- w min(1, 1/(sqrt(lambda) ||w||))          optional projection
//   wbar_t = sum_{j=1..t} a_j w_j / sum_{j=1..t} a_j    optional average, which then predicts
//
// with a_1 = 1 and a_{j+1} = (1 + d/j) a_j. The note's average is the mean, d = 0. Option `decay` sets d > 0:
// the polynomial-decay averaging of Shamir and Zhang 2013, wbar_t = (1 - rho) wbar_{t-1} + rho w_t with
// rho = (d + 1)/(t + d). It forgets the first steps sooner.
//
// Option `schedule`: alpha_t = min(eta_0/sqrt(t), 1/lambda), Zinkevich's step size, which needs no strong
// convexity (linear-2010, section 1). The limit keeps 1 - alpha_t lambda >= 0.
//
// Cost per step: O(nonzeros of its rows), no kernel evaluations. w = s u makes shrinking one multiplication.
// The sum of all a_j w_j is S u + r, with S the sum of a_j s_j since the last folding. Adding v to u
// subtracts S v from r, which keeps the sum. Projections can shrink s without limit, and S u + r would then
// cancel. Whenever s falls below 2^-16, a folding sets r += S u, u = s u, S = 0 and s = 1 at O(features).
// ||u||^2 is kept incrementally and recomputed at each folding.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/api/learner.h"
#include "learners/bases/linear_model.h"
#include "learners/core/eigen.h"
#include "learners/core/evaluation_counter.h"

namespace okbench::linear {

/// Step size alpha_t.
enum class Schedule {
  kInverse,      ///< 1/(lambda t)
  kInverseRoot,  ///< min(eta_0/sqrt(t), 1/lambda)
};

struct Options {
  double lambda = 1e-4;  ///< regulariser, > 0
  Schedule schedule = Schedule::kInverse;
  double eta0 = 1;          ///< eta_0 of kInverseRoot, > 0
  bool projection = false;  ///< project onto the ball ||w|| <= 1/sqrt(lambda) after each step
  bool average = false;     ///< predict with the average of all w
  double decay = 0;         ///< d of the average, 0 to 10
};

template <class T>
class LinearSvm final : public RoundLearner, public MeasuresTraining, public Resumable, public GivesModel {
 public:
  /// Throws InvalidArgument unless the kernel is linear and the labels are binary.
  LinearSvm(const Options& options, const LearnerContext<T>& context);

  RoundOutcome Round(std::span<const std::uint32_t> batch) override;

  /// products: multiply-adds spent on learning, with features of rows and, at foldings, with all weights. It
  /// replaces the number of kernel evaluations as the cost of the method.
  std::vector<std::string> Columns() const override { return {"step_size", "squared_norm", "products"}; }
  void Report(std::span<double> out) const override;

  /// Always 0: a linear model has no support vectors.
  std::size_t support_vectors() const override { return 0; }
  const KernelCounts& counts() const override { return none_; }
  TestOutcome Test() override;
  TrainingOutcome MeasureTraining() override;
  std::span<const std::uint32_t> RetainedRows() const override { return {}; }
  void OnRowsAppended() override {}
  void Serialize(Archive& archive) override;
  AnyModel CurrentModel() const override { return LinearModelOf<T>(predicting()); }

  /// weights(): w. predicting(): the predicting weights, w or its average.
  Eigen::VectorXd weights() const;
  Eigen::VectorXd predicting() const;

 private:
  // Columns of weights_, whose rows are contiguous, so that u and r of a feature are one load.
  enum Column : Eigen::Index { kU, kR };
  // Values for u and r.
  using Pair = Eigen::Array<double, 1, 2, Eigen::RowMajor>;

  void Shrink(double factor);
  void Fold();
  // <u, x> and <r, x>. Counts <r, x> only with `average`; otherwise r = 0.
  Pair Products(const RowView<T>& row);
  // Score of the predicting weights.
  double Score(const Pair& products) const;
  // Whether the average of all w predicts.
  bool Averages() const { return options_.average && t_ > 0; }
  // a_1 + ... + a_t = a_t (t + d)/(d + 1).
  double SumOfImportance(std::uint64_t t) const {
    return importance_ * (static_cast<double>(t) + options_.decay) / (options_.decay + 1);
  }
  // One entry of the sum of all a_j w_j.
  double SumOfWeights(Eigen::Index feature) const;
  void Add(const RowView<T>& row, double amount);

  Options options_;
  KernelCounts none_;  // always 0
  const Examples<T>& train_;
  const Examples<T>* test_;
  FeatureWeights<2> weights_;
  double s_ = 1;          // w = s u
  double sum_of_s_ = 0;   // S: sum of a_j s_j since the last folding
  double squared_u_ = 0;  // ||u||^2, kept only with projection
  double step_size_ = 0;
  std::uint64_t t_ = 0;
  double importance_ = 1;  // a_t
  std::uint64_t products_ = 0;
  std::vector<std::uint32_t> violators_;
};

extern template class LinearSvm<float>;
extern template class LinearSvm<double>;

}  // namespace okbench::linear
