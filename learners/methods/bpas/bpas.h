#pragma once
// BPA-S (Wang and Vucetic, AISTATS 2010): kernel passive-aggressive learner with a budget of B support
// vectors. On a margin error, l = 1 - y f(x) > 0, it makes the PA-I step tau = min(C, l / k(x, x)). Over
// budget it removes a support vector r, and only the coefficient of the new example is free:
//
//   f_r = f - alpha_r k(x_r, .) + beta_r k(x, .)
//   beta_r = argmin 1/2 ||f_r - f||^2 + C max(0, 1 - y f_r(x)) = y tau + alpha_r k(x_r, x) / k(x, x)
//
// beta_r is the PA-I step plus the projection of the removed term onto the new example. r is the support
// vector with the smallest minimum. f_r(x) is the same for every r, so the minima differ only by the squared
// distance
//
//   1/2 alpha_r^2 (k(x_r, x_r) - k(x_r, x)^2 / k(x, x)).
//
// r has the smallest distance; the oldest wins ties. An example with k(x, x) = 0 is never added: it is the
// zero vector of the feature space.
//
// Cost per step: |S| kernel evaluations, and k(x, x) on a margin error. A removal needs no further ones,
// because the values k(x_r, x_r) are stored.

#include <algorithm>
#include <cstdint>

#include "learners/bases/one_vs_rest.h"

namespace okbench::bpas {

struct Options : BudgetedOptions {
  double c = 1;  ///< C: aggressiveness, upper bound of the step tau
};

template <class T>
class Method {
 public:
  Method(const Options& options, const FunctionContext& /*context*/)
      : c_(options.c), budget_(options.budget) {}

  LossValue Evaluate(double f, double y) const { return HingeOf(f, y, 1); }
  void Learn(SupportFunction<T> f, double score, double y) {
    const double loss = 1 - y * score;
    if (loss <= 0) return;
    const double self = f.Self();
    if (self <= 0) return;
    double alpha = y * std::min(c_ * f.weight(), loss / self);
    if (f.size() >= budget_) {
      const std::size_t r = Nearest(f, self);
      alpha += f.alpha(r) * f.Value(r) / self;
      f.Remove(r);
      selves_.erase(selves_.begin() + static_cast<std::ptrdiff_t>(r));
      ++removals_;
    }
    f.Add(alpha);
    selves_.push_back(self);
    ++updates_;
  }

  static std::vector<std::string> Columns() { return {"updates", "removals"}; }
  void Report(std::span<double> out) const {
    out[0] = static_cast<double>(updates_);
    out[1] = static_cast<double>(removals_);
  }
  void Serialize(Archive& archive) {
    archive.Field("selves", selves_);
    archive.Field("updates", updates_);
    archive.Field("removals", removals_);
  }

 private:
  // Place of the support vector whose term of f is nearest to the line spanned by k(x, .). O(|S|).
  std::size_t Nearest(SupportFunction<T> f, double self) const {
    std::size_t nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t r = 0; r < f.size(); ++r) {
      const double alpha = f.alpha(r), k = f.Value(r);
      const double distance = alpha * alpha * (selves_[r] - k * k / self);
      if (distance >= least) continue;
      least = distance;
      nearest = r;
    }
    return nearest;
  }

  double c_;
  std::size_t budget_;
  std::vector<double> selves_;  // k(x_r, x_r) by place in the support set
  std::uint64_t updates_ = 0, removals_ = 0;
};

}  // namespace okbench::bpas
