#pragma once
// DictionaryRidge: weighted ridge regression on the features of a dictionary S that grows. With K = L L' the
// kernel matrix of S, the features of x are the orthonormal coordinates of the projection of k(x, .) onto the
// span of S:
//
//   phi(x) = L^-1 k(S, x)
//   A = rho I + sum_t w_t phi_t phi_t',  b = sum_t c_t phi_t,  f(x) = phi(x)'A^-1 b = sum_j alpha_j k(s_j, x)
//
// When x joins S, every phi gains a coordinate: sqrt(delta) for x, with delta = k(x, x) - ||phi(x)||^2, and 0
// for the examples before it. Earlier examples thus stay projected onto the span of S at their step. K and A
// are kept as Cholesky factors, which only grow and gain outer products: both are stable. Not thread-safe.

#include <cstddef>
#include <span>
#include <vector>

#include "learners/core/archive.h"
#include "learners/solvers/gram_factor.h"

namespace okbench {

class DictionaryRidge {
 public:
  /// `ridge`: rho > 0.
  explicit DictionaryRidge(double ridge) : ridge_(ridge) {}

  std::size_t size() const { return gram_.size(); }
  /// Makes x the current example. `k`: k(S, x).
  void Project(std::span<const double> k);
  /// delta, the squared distance of the current example from the span of S; `self` is k(x, x).
  double SquaredDistance(double self) const { return gram_.SquaredDistance(self); }
  /// Whether rounding allows the current example to join S (GramFactor::CanGrow).
  bool CanJoin(double self, double tolerance) const { return gram_.CanGrow(solution_, self, tolerance); }
  /// phi'A^-1 phi of the current example, as a member of S if `joins`.
  double Leverage(double self, bool joins);

  /// The current example joins S. REQUIRES: CanJoin().
  void Join(double self, double tolerance);
  /// A += weight phi phi', b += c phi, for the current example. REQUIRES: weight >= 0.
  void Add(double weight, double c);
  /// alpha, one entry per member of S, in the order in which they joined.
  void Coefficients(std::vector<double>& alpha);

  void Serialize(Archive& archive);

 private:
  double ridge_;
  GramFactor gram_;        // L
  GramFactor system_;      // Cholesky factor of A
  std::vector<double> b_;  // by coordinate
  // The current example: phi, and K^-1 k.
  std::vector<double> phi_, solution_;
  std::vector<double> scratch_, weights_;
};

}  // namespace okbench
