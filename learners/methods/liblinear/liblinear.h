#pragma once
// LIBLINEAR (Fan, Chang, Hsieh, Wang and Lin 2008) as a batch solver: the optimum that linear online SVMs are
// compared with.
//
//   w = argmin lambda/2 ||w||^2 + mean hinge loss    (linear-2010, eq. 1)
//
// Uses dual coordinate descent (LIBLINEAR's solver 3: L2-regularised hinge loss, no bias). With
// C = 1/(lambda n) it has the same optimum. LIBLINEAR draws from the global random sequence of the C library;
// solve.h seeds it before each solution, so results are reproducible. No kernel evaluations.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/api/learner.h"
#include "learners/api/reports_overhead.h"
#include "learners/bases/linear_model.h"
#include "learners/core/eigen.h"
#include "learners/core/evaluation_counter.h"

namespace okbench::liblinear {

struct Options {
  double lambda = 1e-4;     ///< regulariser, > 0
  double tolerance = 1e-3;  ///< largest violation of the dual's optimality conditions at the end
};

template <class T>
class Liblinear final : public SolverLearner,
                        public MeasuresTraining,
                        public GivesModel,
                        public ReportsOverhead {
 public:
  /// Throws InvalidArgument unless the kernel is linear and the labels are binary. Throws LibraryError if
  /// LIBLINEAR is not installed.
  Liblinear(const Options& options, const LearnerContext<T>& context);

  void Announce(std::span<const std::uint32_t> order) override { order_.assign(order.begin(), order.end()); }
  /// Solves in one round. Not converged if LIBLINEAR stopped at its iteration limit.
  RoundOutcome Round() override;

  std::vector<std::string> Columns() const override { return {"squared_norm"}; }
  void Report(std::span<double> out) const override;
  std::size_t support_vectors() const override { return 0; }
  const KernelCounts& counts() const override { return none_; }
  TestOutcome Test() override;
  TrainingOutcome MeasureTraining() override;
  AnyModel CurrentModel() const override { return LinearModelOf<T>(weights_); }
  double overhead_seconds() const override { return overhead_seconds_; }

  const Eigen::VectorXd& weights() const { return weights_; }

 private:
  Options options_;
  KernelCounts none_;  // always 0
  const Examples<T>& train_;
  const Examples<T>* test_;
  std::vector<std::uint32_t> order_;
  Eigen::VectorXd weights_;
  double overhead_seconds_ = 0;
};

extern template class Liblinear<float>;
extern template class Liblinear<double>;

}  // namespace okbench::liblinear
