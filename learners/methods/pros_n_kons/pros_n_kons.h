#pragma once
// PROS-N-KONS (Calandriello, Lazaric and Valko, "Efficient second-order online kernel learning with adaptive
// embedding", NIPS 2017): online Newton steps on the squared error, in the span of a dictionary S that is
// sampled by ridge leverage scores. With phi the orthonormal coordinates of the projection of k(x, .) onto
// the span of S, and h(z) = sign(z) max(|z| - C, 0),
//
//   v = u - A^-1 g,  w = v - h(phi'v) / (phi'A^-1 phi) A^-1 phi    (g and A of the step before)
//   predict phi'w, which is phi'v clipped to [-C, C]
//   g = 2 (phi'w - y) phi,  A += sigma/2 g g',  sigma = 1 / (8 C^2)
//
// Then KORS samples x with probability min(1, beta tau), tau its estimated leverage. With p_j the probability
// with which member j was sampled, and g_x = k(x, x) - k'(K + gamma diag(p))^-1 k,
//
//   tau = (1 + epsilon) g_x / (g_x + gamma)
//
// If x is sampled it joins S, and the learner starts again in the new span: A = alpha I, w = 0. With a full
// budget nothing joins. An example that adds nothing beyond the rounding error of the kernel values does not
// join. Instance weights multiply the loss. The recorded loss is half the squared error. Test sets are
// predicted by the unclipped score.
//
// Cost per step: |S| kernel evaluations, one more (k(x, x)) while the dictionary may grow, and O(|S|^2) time.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "learners/bases/filter_loss.h"
#include "learners/bases/one_vs_rest.h"
#include "learners/core/random.h"
#include "learners/core/sums.h"
#include "learners/solvers/gram_factor.h"
#include "learners/solvers/packed_symmetric.h"

namespace okbench::pros_n_kons {

struct Options {
  double alpha = 1;        ///< A starts as alpha I, > 0
  double ridge = 1;        ///< gamma, regulariser of the leverage scores, > 0
  double beta = 1;         ///< samples per unit of leverage, > 0
  double epsilon = 0.5;    ///< accuracy of the leverage scores, in [0, 1]
  double bound = 1;        ///< C, bound of the predictions, > 0
  std::size_t budget = 0;  ///< maximum size of the dictionary; 0: no limit
};

template <class T>
class Method {
 public:
  Method(const Options& options, const FunctionContext& context)
      : options_(options),
        random_(DeriveSeed(
            {{"sampling", std::to_string(context.seed)}, {"function", std::to_string(context.function)}})) {}

  LossValue Evaluate(double f, double y) const {
    LossValue value = SquaredErrorOf(f, y);
    value.mistake = y * f <= 0;
    return value;
  }
  double Predict(SupportFunction<T> /*f*/, double score) {
    return std::clamp(score, -options_.bound, options_.bound);
  }
  void Learn(SupportFunction<T> f, double predicted, double y) {
    f.Values(k_);
    gram_.Solve(k_, d_);
    phi_.assign(gram_.coordinates().begin(), gram_.coordinates().end());
    Step(predicted, y, f.weight());
    if (options_.budget > 0 && f.size() >= options_.budget) return Set(f);
    const double self = f.Self();
    leverage_.Project(k_);
    const double distance = leverage_.SquaredDistance(self);
    const double tau = (1 + options_.epsilon) * distance / (distance + options_.ridge);
    const double p = std::min(1.0, options_.beta * tau);
    if (random_.Uniform() >= p || !gram_.Grow(d_, self, kGramTolerance<T>)) return Set(f);
    leverage_.Grow(k_, self + p * options_.ridge, 0);
    f.Add(0);
    w_.assign(f.size(), 0.0);
    inverse_ = {};
    for (std::size_t j = 0; j < f.size(); ++j)
      inverse_.Append(std::vector<double>(j, 0.0), 1 / options_.alpha);
    Set(f);
  }

  /// Members of the dictionary, each added once.
  std::size_t additions() const { return gram_.size(); }
  static auto State() {
    return state::List(state::Column("additions", &Method::additions), state::Part(&Method::gram_),
                       state::Part(&Method::leverage_), state::Part(&Method::inverse_),
                       state::Field("weights", &Method::w_), state::Part(&Method::random_));
  }
  bool Fits(std::size_t members) const {
    return gram_.size() == members && leverage_.size() == members && inverse_.size() == members &&
           w_.size() == members;
  }

 private:
  // Projects w onto |phi'w| <= C, adds g g' to A, and steps: w becomes the v of the next step.
  void Step(double predicted, double y, double weight) {
    inverse_.Product(phi_, q_);  // A^-1 phi
    const double spread = Dot(phi_, q_), score = Dot(phi_, w_);
    const double slope = 2 * (predicted - y);
    const double curvature = weight * slope * slope / (16 * options_.bound * options_.bound);  // sigma/2 g g'
    double step = weight * slope / (1 + curvature * spread);  // A^-1 g = step A^-1 phi, with the new A
    if (spread > 0) step += (score - std::clamp(score, -options_.bound, options_.bound)) / spread;
    for (std::size_t j = 0; j < w_.size(); ++j) w_[j] -= step * q_[j];
    inverse_.AddOuter(-curvature / (1 + curvature * spread), q_);
  }
  void Set(SupportFunction<T> f) {
    gram_.Combine(w_, alpha_);
    f.SetAlphas(alpha_);
  }

  Options options_;
  GramFactor gram_;          // of K
  GramFactor leverage_;      // of K + gamma diag(p)
  PackedSymmetric inverse_;  // A^-1
  std::vector<double> w_;    // v, in the coordinates of phi
  Random random_;
  std::vector<double> k_, d_, phi_, q_, alpha_;
};

}  // namespace okbench::pros_n_kons
