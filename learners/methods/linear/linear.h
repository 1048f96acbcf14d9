#pragma once
// The linear online SVM (Bagnell 2010; linear-2010, algorithm 1), binary, no bias.
//
// Step t = 1, 2, ... on k examples, alpha_t = 1/(lambda t), V those with y_i <w, x_i> < 1:
//   w <- (1 - alpha_t lambda) w + alpha_t/k sum_{i in V} y_i x_i,
//   then, optionally, w <- w min(1, 1/(sqrt(lambda) ||w||)),
// and, optionally, the average of all w computed so far predicts: wbar_t = (1/t) sum_{j=1..t} w_j. It
// minimises lambda/2 ||w||^2 + mean hinge loss (eq. 1).
//
// A step costs O(nonzeros of its rows): w = s u, so that shrinking is one product. For the sum of all w, with
// S the sum of the factors s, sum_j w_j = base + S u - r, where r takes S times what is added to u.
// Projections can shrink s without end, and base + S u - r would cancel to nothing: each time s has fallen to
// 2^-16 all that is held lazily is folded into its vector, at O(features). ||u||^2 is kept incrementally, and
// anew at each folding.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/api/learner.h"
#include "learners/bases/linear_model.h"
#include "learners/core/eigen.h"
#include "learners/core/evaluation_counter.h"

namespace okbench::linear {

struct Options {
  double lambda = 1e-4;
  bool projection = false;
  bool average = false;
};

template <class T>
class LinearSvm final : public RoundLearner, public MeasuresTraining, public Resumable, public GivesModel {
 public:
  /// Throws InvalidArgument unless the kernel is linear and the labels are binary.
  LinearSvm(const Options& options, const LearnerContext<T>& context);

  RoundOutcome Round(std::span<const std::uint32_t> batch) override;

  /// products: multiply-adds with the features of rows and, at foldings, with all weights, spent on learning:
  /// the method's cost in place of kernel evaluations.
  std::vector<std::string> Columns() const override { return {"step_size", "squared_norm", "products"}; }
  void Report(std::span<double> out) const override;

  /// A linear model keeps none.
  std::size_t support_vectors() const override { return 0; }
  const KernelCounts& counts() const override { return none_; }
  TestOutcome Test() override;
  TrainingOutcome MeasureTraining() override;
  std::span<const std::uint32_t> RetainedRows() const override { return {}; }
  void OnRowsAppended() override {}
  void Serialize(Archive& archive) override;
  AnyModel CurrentModel() const override { return LinearModelOf<T>(predicting()); }

  /// w, and what predicts: w or its average.
  Eigen::VectorXd weights() const;
  Eigen::VectorXd predicting() const;

 private:
  // Columns of the weights. Of each feature they lie side by side: a row touches one cache line a feature.
  enum Column : Eigen::Index { kU, kR, kBase };

  void Shrink(double factor);
  void Fold();
  double ProductWithU(const RowView<T>& row);
  double Score(const RowView<T>& row, double product);
  void Add(const RowView<T>& row, double amount);

  Options options_;
  KernelCounts none_;  // it evaluates no kernel
  const Examples<T>& train_;
  const Examples<T>* test_;
  Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor> weights_;
  double s_ = 1;          // w = s u
  double sum_of_s_ = 0;   // S, since the last folding
  double squared_u_ = 0;  // ||u||^2, kept with projection
  double step_size_ = 0;
  std::uint64_t t_ = 0;
  std::uint64_t products_ = 0;
  std::vector<std::uint32_t> violators_;
};

extern template class LinearSvm<float>;
extern template class LinearSvm<double>;

}  // namespace okbench::linear
