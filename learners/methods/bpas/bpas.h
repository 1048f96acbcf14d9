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
// Joint step for all classes (the authors' multiclass scheme in the MATLAB library of Lu et al. 2016, with B
// support vectors in total), with the loss l and the second class s of one_vs_rest.h:
//
//   tau = min(C, l / (2 k(x, x))),  f_y gains tau k(x, .), f_s loses it
//   f_r = f - alpha_r k(x_r, .) + beta_r k(x, .),  beta_r = tau (e_y - e_s) + alpha_r k(x_r, x) / k(x, x)
//
// with a vector alpha_r of coefficients, one per class. Again f_r(x) is the same for every r, so r has the
// smallest distance, with ||alpha_r||^2 in the place of alpha_r^2.
//
// Cost per step: |S| kernel evaluations, and k(x, x) on a margin error. A removal needs no further ones,
// because the values k(x_r, x_r) are stored.

#include <algorithm>
#include <cstdint>

#include "learners/bases/one_vs_rest.h"

namespace okbench::bpas {

struct Options : BudgetedOptions {
  double c = 1;        ///< C: aggressiveness, upper bound of the step tau
  bool joint = false;  ///< the joint step; the budget is then that of all classes
};

/// k(x_r, x_r) of the support vectors, by place; the choice of the one to remove; and the trace columns.
class SelfKernels {
 public:
  void Add(double self) {
    selves_.push_back(self);
    ++updates_;
  }
  void Remove(std::size_t place) {
    selves_.erase(selves_.begin() + static_cast<std::ptrdiff_t>(place));
    ++removals_;
  }
  /// Place of the member of f whose term is nearest to the line spanned by k(x_t, .). O(|S|). `self`: k(x_t,
  /// x_t). `square(r)`: squared norm of the coefficients of member r.
  template <class T, class Square>
  std::size_t Nearest(SupportFunction<T> f, double self, const Square& square) const {
    std::size_t nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t r = 0; r < f.size(); ++r) {
      const double k = f.Value(r), distance = square(r) * (selves_[r] - k * k / self);
      if (distance >= least) continue;
      least = distance;
      nearest = r;
    }
    return nearest;
  }
  static auto State() {
    return state::List(state::Field("selves", &SelfKernels::selves_),
                       state::Column("updates", &SelfKernels::updates_),
                       state::Column("removals", &SelfKernels::removals_));
  }

 private:
  std::vector<double> selves_;
  std::uint64_t updates_ = 0, removals_ = 0;
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
      const std::size_t r = selves_.Nearest(f, self, [f](std::size_t j) { return f.alpha(j) * f.alpha(j); });
      alpha += f.alpha(r) * f.Value(r) / self;
      f.Remove(r);
      selves_.Remove(r);
    }
    f.Add(alpha);
    selves_.Add(self);
  }

  static auto State() { return state::List(state::Part(&Method::selves_)); }

  class Joint;

 private:
  double c_;
  std::size_t budget_;
  SelfKernels selves_;
};

template <class T>
class Method<T>::Joint {
 public:
  explicit Joint(const Options& options) : c_(options.c), budget_(options.budget) {}

  void Learn(FunctionSet<T>& set, const JointLoss& loss) {
    SupportFunction<T> first = set.function(0);  // all functions have its members
    const double self = first.Self();
    if (self <= 0) return;
    const double tau = std::min(c_ * first.weight(), loss.loss / (2 * self));
    step_.assign(set.functions(), 0.0);
    step_[loss.y] = tau;
    step_[loss.second] = -tau;
    if (first.size() >= budget_) {
      const std::size_t r = selves_.Nearest(first, self, [&set](std::size_t place) {
        double square = 0;
        for (std::size_t q = 0; q < set.functions(); ++q)
          square += set.function(q).alpha(place) * set.function(q).alpha(place);
        return square;
      });
      const double share = first.Value(r) / self;
      for (std::size_t q = 0; q < step_.size(); ++q) step_[q] += set.function(q).alpha(r) * share;
      for (std::size_t q = 0; q < step_.size(); ++q) set.function(q).Remove(r);
      selves_.Remove(r);
    }
    for (std::size_t q = 0; q < step_.size(); ++q) set.function(q).Add(step_[q]);
    selves_.Add(self);
  }

  static auto State() { return state::List(state::Part(&Joint::selves_)); }

 private:
  double c_;
  std::size_t budget_;
  SelfKernels selves_;
  std::vector<double> step_;  // coefficients of x_t, by class
};

}  // namespace okbench::bpas
