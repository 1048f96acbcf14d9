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

#include <cmath>
#include <cstdint>
#include <vector>

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
    if (open) {
      const double self = f.Self();
      if (Coherence(self) <= options_.mu0) {
        f.Add(0);
        selves_.push_back(self);
        h_.push_back(self);
      }
    }
    const double step = f.weight() * options_.eta * (y - score) / (options_.epsilon + SquaredNorm(h_));
    f.AddToAlphas(step, h_);
  }

  static std::vector<std::string> Columns() { return {}; }
  void Report(std::span<double> /*out*/) const {}
  void Serialize(Archive& archive) { archive.Field("selves", selves_); }
  bool Fits(std::size_t members) const { return selves_.size() == members; }

 private:
  double Coherence(double self) const {
    double largest = 0;
    for (std::size_t j = 0; j < h_.size(); ++j)
      largest = std::max(largest, std::fabs(h_[j]) / (std::sqrt(self) * std::sqrt(selves_[j])));
    return largest;
  }

  Options options_;
  std::vector<double> selves_;  // k(s, s), by place
  std::vector<double> h_;
};

}  // namespace okbench::knlms
