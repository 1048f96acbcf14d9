#pragma once
// Hindsight (norma-2001, section 4): the best fixed hypothesis in hindsight, the comparator g of the bounds.
//
//   g = argmin  c/2 ||g||^2 + (1/n) sum_i max(0, rho - y_i g(x_i))
//
// The sum runs over the whole training part. The dual is solved once, before the first step. It gives
// g(x) = sum_i a_i y_i k(x_i, x) with 0 <= a_i <= 1/(c n). Then g predicts the stream without learning. The
// trace holds the cumulative risk that an online learner is compared with:
//
//   risk_sum = sum_t max(0, rho - y_t g(x_t)) + c/2 ||g||^2
//
// Cost: n (n + 1) / 2 kernel evaluations before the first step, none per step. Memory: the kernel matrix, n^2
// values, until g is found.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/api/learner.h"
#include "learners/api/model.h"
#include "learners/bases/mini_batch.h"
#include "learners/kernels/engine.h"

namespace okbench::hindsight {

struct Options {
  double c = 1;             ///< regulariser: c/2 ||g||^2, > 0
  double margin = 1;        ///< rho, > 0
  double tolerance = 1e-6;  ///< relative duality gap at which the solver stops
};

template <class T>
class Hindsight final : public StreamLearner, public GivesModel {
 public:
  /// Throws InvalidArgument if the labels are not binary.
  Hindsight(const Options& options, const LearnerContext<T>& context);

  /// Solves for g over the whole training part; ignores `order`. Throws InvalidArgument if the solver does
  /// not reach its tolerance or a kernel value is not finite.
  void Announce(std::span<const std::uint32_t> order) override;
  StepOutcome Step(std::uint32_t example) override;

  std::vector<std::string> Columns() const override { return {"squared_norm", "risk_sum", "gap"}; }
  void Report(std::span<double> out) const override;
  std::size_t support_vectors() const override { return support_; }
  const KernelCounts& counts() const override { return engine_.counts(); }
  TestOutcome Test() override;
  AnyModel CurrentModel() const override {
    return ModelOf<T>(engine_.kernel(), *train_.examples,
                      {coefficients_.data(), static_cast<std::size_t>(coefficients_.size())});
  }

  double squared_norm() const { return squared_norm_; }
  /// g(x_i) for training example i.
  double score(std::uint32_t i) const { return scores_[static_cast<Eigen::Index>(i)]; }
  /// a_i y_i, the coefficient of training example i in g.
  double coefficient(std::uint32_t i) const { return coefficients_[static_cast<Eigen::Index>(i)]; }

 private:
  Options options_;
  KernelEngine<T> engine_;
  ExampleInputs<T> train_;
  ExampleInputs<T> test_;
  SupportBlocks<T> blocks_;  // the training part; predicts the test part
  Eigen::ArrayXd coefficients_, scores_;
  std::size_t support_ = 0;
  double squared_norm_ = 0;
  double gap_ = 0;  // absolute duality gap of the objective
  double risk_sum_ = 0;
  double score_ = 0;  // of the last step
};

extern template class Hindsight<float>;
extern template class Hindsight<double>;

}  // namespace okbench::hindsight
