#pragma once
// QKLMS (Chen, Zhao, Zhu and Principe, "Quantized kernel least mean square algorithm", IEEE Transactions on
// Neural Networks and Learning Systems 23(1), 2012), for regression. With e = y - f(x) and s the center
// nearest to x:
//
//   ||x - s|| <= epsilon:  alpha_s <- alpha_s + eta e
//   otherwise:             x becomes a center, with alpha = eta e
//
// epsilon = 0 merges equal inputs alone. With the Gaussian kernel the distance is that of the inputs, from
// k(x, s) = exp(-gamma ||x - s||^2). With any other kernel it is that in feature space, k(x, x) + k(s, s) - 2
// k(x, s); with the linear kernel both are the same. Ties go to the oldest center.
//
// Once the centers have reached their budget, an example that is far from all of them moves the nearest one,
// or with `full` = "ignore" nothing. KLMS (Liu, Pokharel and Principe 2008) is the case epsilon = 0.
//
// Cost per step: |S| kernel evaluations, one more (k(x, x)) unless the kernel is Gaussian.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "learners/bases/filter_loss.h"
#include "learners/bases/one_vs_rest.h"
#include "learners/core/math.h"

namespace okbench::qklms {

struct Options {
  double eta = 0.5;        ///< step size
  double epsilon = 0.1;    ///< quantization size: distance within which a center takes the step
  std::size_t budget = 0;  ///< maximum number of centers; 0: no limit
  bool ignore = false;     ///< with a full budget, far examples change nothing; else the nearest center moves
};

template <class T>
class Method {
 public:
  Method(const Options& options, const FunctionContext& context)
      : options_(options), gaussian_(context.kernel.kind == KernelKind::kRbf) {
    const double squared = options.epsilon * options.epsilon;
    limit_ = gaussian_ ? -Exp(-context.kernel.gamma * squared) : squared;
  }

  LossValue Evaluate(double f, double y) const { return SquaredErrorOf(f, y); }
  void Learn(SupportFunction<T> f, double score, double y) {
    const double step = options_.eta * f.weight() * (y - score);
    f.Values(k_);
    const double self = gaussian_ ? 0 : f.Self();
    for (std::size_t j = 0; j < k_.size(); ++j) k_[j] = gaussian_ ? -k_[j] : self + selves_[j] - 2 * k_[j];
    const auto nearest = static_cast<std::size_t>(std::min_element(k_.begin(), k_.end()) - k_.begin());
    const bool full = options_.budget > 0 && f.size() == options_.budget;
    const bool near = !k_.empty() && k_[nearest] <= limit_;
    if (near || (full && !options_.ignore)) {
      f.SetAlpha(nearest, f.alpha(nearest) + step);
    } else if (!full) {
      f.Add(step);
      if (!gaussian_) selves_.push_back(self);
    }
  }

  static auto State() { return state::List(state::Field("selves", &Method::selves_)); }
  bool Fits(std::size_t members) const { return selves_.size() == (gaussian_ ? 0 : members); }

 private:
  Options options_;
  bool gaussian_;
  double limit_;                // of the squared distance; Gaussian kernel: of -k, which grows with it
  std::vector<double> selves_;  // k(s, s), by place; unless the kernel is Gaussian
  std::vector<double> k_;       // squared distances, or -k
};

}  // namespace okbench::qklms
