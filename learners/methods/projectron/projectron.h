#pragma once
// Projectron++ (Orabona, Keshet and Caputo, "Bounded kernel-based online learning", JMLR 10, 2009): a
// perceptron that projects what is near the span of its support set instead of adding it. With K the kernel
// matrix of the members, k the row of x over them, and P the projection onto their span,
//
//   d = K^-1 k,  n = ||P k(x, .)||^2 = k'd,  delta = ||k(x, .) - P k(x, .)|| = sqrt(k(x, x) - n)
//   mistake, y f(x) <= 0:            delta <= eta: f <- f + y sum_j d_j k(x_j, .);  else x is added with y
//   margin error, 0 < y f(x) < 1:    l = 1 - y f(x);  l > delta / eta: f <- f + y a sum_j d_j k(x_j, .),
//                                    a = min(l / n, 2 (l - delta / eta) / n, 1)
//
// Projectron has no step for margin errors. The first author's library DOGMA has delta^2 in the place of
// delta, in both comparisons and in a. Members never leave, and their coefficients are never 0 for good:
// K^-1 grows with each. What is too near the span to be added (InverseGram) is projected whatever eta is.
// With a budget, mistakes are projected from then on, and need no delta.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "learners/bases/one_vs_rest.h"
#include "learners/core/sums.h"
#include "learners/solvers/inverse_gram.h"

namespace okbench::projectron {

struct Options {
  double eta = 0.1;        ///< sparseness
  bool plus_plus = true;   ///< steps on margin errors
  bool squared = false;    ///< delta^2 is compared
  std::size_t budget = 0;  ///< support vectors of one function; 0: as many as eta gives
};

template <class T>
class Method {
 public:
  Method(const Options& options, const FunctionContext& /*context*/) : options_(options) {}

  LossValue Evaluate(double f, double y) const { return HingeOf(f, y, 1); }
  void Learn(SupportFunction<T> f, double score, double y) {
    if (y * score <= 0) {
      LearnMistake(f, y);
    } else if (options_.plus_plus && y * score < 1) {
      LearnMargin(f, 1 - y * score, y);
    }
  }

  static std::vector<std::string> Columns() { return {"additions", "projections", "margin_projections"}; }
  void Report(std::span<double> out) const {
    out[0] = static_cast<double>(additions_);
    out[1] = static_cast<double>(projections_);
    out[2] = static_cast<double>(margin_projections_);
  }
  void Serialize(Archive& archive) {
    inverse_.Serialize(archive);
    archive.Field("additions", additions_);
    archive.Field("projections", projections_);
    archive.Field("margin_projections", margin_projections_);
  }
  bool Fits(std::size_t members) const { return inverse_.size() == members; }

 private:
  // k and d = K^-1 k of the example of this step.
  void Solve(SupportFunction<T>& f) {
    f.Values(k_);
    inverse_.Solve(k_, d_);
  }
  // What is compared with eta.
  double Distance(double squared) const { return options_.squared ? squared : std::sqrt(squared); }

  void LearnMistake(SupportFunction<T>& f, double y) {
    Solve(f);
    if (options_.budget == 0 || f.size() < options_.budget) {
      const double self = f.Self();
      const double squared = InverseGram::SquaredDistance(k_, d_, self);
      if (Distance(squared) > options_.eta && inverse_.Grow(d_, squared, self)) {
        f.Add(y);
        ++additions_;
        return;
      }
    }
    f.AddToAlphas(y, d_);
    ++projections_;
  }

  void LearnMargin(SupportFunction<T>& f, double loss, double y) {
    Solve(f);
    const double norm = Dot(k_, d_);
    const double distance = Distance(InverseGram::SquaredDistance(k_, d_, f.Self()));
    if (options_.eta * loss <= distance || norm <= 0) return;
    const double most = std::min(loss, 2 * (loss - distance / options_.eta)) / norm;
    f.AddToAlphas(y * std::min(most, 1.0), d_);
    ++margin_projections_;
  }

  Options options_;
  InverseGram inverse_;
  std::uint64_t additions_ = 0, projections_ = 0, margin_projections_ = 0;
  std::vector<double> k_, d_;
};

}  // namespace okbench::projectron
