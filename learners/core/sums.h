#pragma once
// Sums that determine a trace: one chain of additions in index order, in double precision. Linear algebra
// libraries choose an order that suits the vector width; this order is the same on every machine.
//
// Arguments are any type with size() and operator[]: spans, vectors, Eigen vectors and expressions.

#include <type_traits>

namespace okbench {

/// sum_i a_i b_i.
template <class A, class B>
double Dot(const A& a, const B& b) {
  double sum = 0;
  const auto n = a.size();
  for (std::remove_const_t<decltype(n)> i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// sum_i a_i^2.
template <class A>
double SquaredNorm(const A& a) {
  return Dot(a, a);
}

}  // namespace okbench
