#pragma once
// BCFW: block-coordinate Frank-Wolfe for the structural SVM (Lacoste-Julien, Jaggi, Schmidt and Pletscher
// 2013), over any task whose outputs can be listed.
//
//   OP1 (sfd-2013)   min_f  lambda/2 ||f||^2 + 1/N sum_i max_y [Delta(y_i, y) + f(x_i, y) - f(x_i, y_i)]
//
// With C = 1/(lambda N), a_iy >= 0, sum_y a_iy = C and tau_i = C e_{y_i} - a_i, f = sum_i k(x_i, .) kappa
// tau_i, the gradient of the dual (divided by lambda) is g_iy = Delta(y_i, y) + f(x_i, y) - f(x_i, y_i). A
// step on example i asks the oracle for y^ = arg max_y g_iy and moves a_i towards d = C e_y^ - a_i by
//
//   gamma = min(1, g_i . d / (k(x_i, x_i) d' kappa d)),
//
// the exact line search. The duality gap is sum_i g_i . d_i >= 0. A round is a pass over the training set in
// random order, then the gap, for which the scores of all examples are summed anew.
//
// Scores are sums over kernel rows of the training set, which are cached: `computed` counts each row once
// while it is in the cache. `requested` counts what a step asks for without one: a value a support vector,
// and k(x_i, x_i) where x_i is none yet; the gap asks for N times the support vectors.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/api/parameter_table.h"
#include "learners/bases/training_rows.h"
#include "learners/core/random.h"

namespace okbench::bcfw {

struct Options : TrainingRowsOptions {
  double gap = 1e-3;  ///< relative duality gap to reach
};

/// The method's parameters.
ParameterTable<Options> Parameters();

template <class T>
class Bcfw final : public TrainingRows<T> {
 public:
  Bcfw(const Options& options, const LearnerContext<T>& context);

  RoundOutcome Round(std::span<const std::uint32_t> batch) override;
  /// The objective above and its dual.
  std::vector<std::string> Columns() const override {
    return {"primal", "dual", "relative_gap", "oracle_calls"};
  }
  void Report(std::span<double> out) const override;

  /// lambda/2 ||f||^2 + mean loss, and the dual's value, after the last round.
  double primal() const { return options_.lambda * primal_; }
  double dual() const { return options_.lambda * dual_; }

 private:
  void Step(std::uint32_t i, RoundOutcome& outcome);
  void Measure();

  Options options_;
  double cap_;
  Random random_;
  std::vector<std::uint32_t> order_;
  std::vector<double> f_, g_, d_, products_;
  double primal_ = 0, dual_ = 0;
};

extern template class Bcfw<float>;
extern template class Bcfw<double>;

}  // namespace okbench::bcfw
