#pragma once
// BCFW (Lacoste-Julien, Jaggi, Schmidt and Pletscher, ICML 2013): block-coordinate Frank-Wolfe for the
// structural SVM, over any task whose outputs can be enumerated. Minimises (OP1 of sfd-2013)
//
//   lambda/2 ||f||^2 + 1/N sum_i max_y [Delta(y_i, y) + f(x_i, y) - f(x_i, y_i)].
//
// Dual variables a_iy >= 0 with sum_y a_iy = C = 1/(lambda N). With tau_i = C e_{y_i} - a_i the model is
// f = sum_i k(x_i, .) kappa tau_i, and the gradient of the dual, divided by lambda, is
//
//   g_iy = Delta(y_i, y) + f(x_i, y) - f(x_i, y_i).
//
// A step on example i calls the oracle for y^ = arg max_y g_iy and moves a_i towards C e_y^ by exact line
// search:
//
//   d_i = C e_y^ - a_i,  gamma = min(1, g_i . d_i / (k(x_i, x_i) d_i' kappa d_i)),  a_i <- a_i + gamma d_i.
//
// A round is one pass over the training set in random order. It then recomputes all scores and measures the
// duality gap sum_i g_i . d_i >= 0. The method finishes when the gap is at most `tolerance` times the primal
// objective.
//
// Cost per step: one oracle call and |S| kernel evaluations, one more if x_i is not a support vector. The gap
// costs N |S|. These are `requested`. `computed` counts whole kernel rows over the training set, each row
// once while it stays in the row cache.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/api/parameter_table.h"
#include "learners/bases/training_rows.h"
#include "learners/core/random.h"

namespace okbench::bcfw {

struct Options : TrainingRowsOptions {
  double tolerance = 1e-3;  ///< relative duality gap at which the method finishes, > 0
};

/// Parameter table of the learner.
ParameterTable<Options> Parameters();

template <class T>
class Bcfw final : public TrainingRows<T> {
 public:
  Bcfw(const Options& options, const LearnerContext<T>& context);

  RoundOutcome Round(std::span<const std::uint32_t> batch) override;
  /// primal, dual: values of the objective above and of its dual; relative_gap: (primal - dual) / primal.
  std::vector<std::string> Columns() const override {
    return {"primal", "dual", "relative_gap", "oracle_calls"};
  }
  void Report(std::span<double> out) const override;

  /// Objective value lambda/2 ||f||^2 + mean loss, and dual value, after the last round.
  double primal() const { return options_.lambda * primal_; }
  double dual() const { return options_.lambda * dual_; }

 private:
  void Step(std::uint32_t i, RoundOutcome& outcome);
  void Measure();

  Options options_;
  double cap_;  // C
  Random random_;
  std::vector<std::uint32_t> order_;
  std::vector<double> f_, g_, d_, products_;
  double primal_ = 0, dual_ = 0;
};

extern template class Bcfw<float>;
extern template class Bcfw<double>;

}  // namespace okbench::bcfw
