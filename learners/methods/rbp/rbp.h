#pragma once
// RBP (Cavallanti, Cesa-Bianchi and Gentile, Machine Learning 69, 2007): the randomised budget perceptron. On
// a mistake with a full budget B, it first removes a support vector drawn uniformly.
//
//   y f(x) <= 0 and |S| = B:  f <- f - y_r k(x_r, .), r uniform in S
//   y f(x) <= 0:              f <- f + y k(x, .)
//
// With several classes each function draws independently, from the seed of the trial and the function's
// index.
//
// Cost per step: |S| kernel evaluations.

#include <cstdint>
#include <string>

#include "learners/bases/one_vs_rest.h"
#include "learners/core/random.h"

namespace okbench::rbp {

struct Options : BudgetedOptions {};

template <class T>
class Method {
 public:
  Method(const Options& options, const FunctionContext& context)
      : budget_(options.budget), random_(Seed(context.seed, context.function)) {}

  LossValue Evaluate(double f, double y) const { return HingeOf(f, y, 0); }
  void Learn(SupportFunction<T> f, double score, double y) {
    if (y * score > 0) return;
    if (f.size() >= budget_) {
      f.Remove(random_.Below(f.size()));
      ++removals_;
    }
    f.Add(y * f.weight());
    ++updates_;
  }

  static auto State() {
    return state::List(state::Part(&Method::random_), state::Column("updates", &Method::updates_),
                       state::Column("removals", &Method::removals_));
  }

  /// Seed of the random draws of one function.
  static std::uint64_t Seed(std::uint64_t seed, std::size_t function) {
    return DeriveSeed({{"selection", std::to_string(seed)}, {"function", std::to_string(function)}});
  }

 private:
  std::size_t budget_;
  Random random_;
  std::uint64_t updates_ = 0, removals_ = 0;
};

}  // namespace okbench::rbp
