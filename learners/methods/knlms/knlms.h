#pragma once
// KNLMS (Richard, Bermudez and Honeine, "Online prediction of time series data with kernels", IEEE
// Transactions on Signal Processing 57(3), 2009): kernel normalised least mean squares with the coherence
// criterion, for regression. x joins the dictionary S with alpha = 0 if its coherence is small:
//
//   max_j |k(x, s_j)| / sqrt(k(x, x) k(s_j, s_j)) <= mu_0
//
// Then, with h = k(S, x) over the new S:
//
//   alpha <- alpha + eta / (epsilon + h'h) (y - h'alpha) h
//
// Once the dictionary has reached its budget, nothing joins it. Instance weights multiply eta.
//
// Cost per step: |S| + 1 kernel evaluations (k(x, x)); |S| for a full dictionary.

#include <vector>

#include "learners/bases/coherence.h"
#include "learners/bases/filter_loss.h"
#include "learners/bases/one_vs_rest.h"
#include "learners/core/sums.h"

namespace okbench::knlms {

struct Options {
  double mu0 = 0.95;       ///< largest coherence of a new member, in [0, 1]
  double eta = 0.5;        ///< step size, in (0, 2)
  double epsilon = 1e-6;   ///< regulariser of the normalisation
  std::size_t budget = 0;  ///< maximum size of the dictionary; 0: no limit
};

template <class T>
class Method {
 public:
  Method(const Options& options, const FunctionContext& /*context*/) : options_(options) {}

  LossValue Evaluate(double f, double y) const { return SquaredErrorOf(f, y); }
  void Learn(SupportFunction<T> f, double score, double y) {
    f.Values(h_);
    const bool open = options_.budget == 0 || f.size() < options_.budget;
    if (open && coherence_.TryAdd(h_, f.Self(), options_.mu0)) {
      f.Add(0);
      h_.push_back(f.Self());
    }
    const double step = f.weight() * options_.eta * (y - score) / (options_.epsilon + SquaredNorm(h_));
    f.AddToAlphas(step, h_);
  }

  static auto State() { return state::List(state::Part(&Method::coherence_)); }
  bool Fits(std::size_t members) const { return coherence_.size() == members; }

 private:
  Options options_;
  Coherence coherence_;
  std::vector<double> h_;
};

}  // namespace okbench::knlms
