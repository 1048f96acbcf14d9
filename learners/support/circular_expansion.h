#pragma once
// CircularExpansion: one or two functions in a reproducing kernel Hilbert space over a circular buffer of
// support vectors, with one column of coefficients per output.
//
//   f_r = sum_i alpha_ri k(x_i, .)   and, if a trace is kept,   v_r = sum_i beta_ri k(x_i, .)
//
// for r = 0 .. outputs-1. Sums run in slot order: one chain per lane of a block, then a fixed tree. Not
// thread-safe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/kernels/vector_ops.h"
#include "learners/support/circular_terms.h"

namespace okbench {

template <class T>
class CircularExpansion final : public CircularTerms<T> {
 public:
  CircularExpansion(KernelEngine<T>& engine, const Inputs<T>& inputs, SupportBlocks<T> blocks,
                    const CircularOptions& options, std::size_t outputs);

  /// Computes f(x_i) from one kernel row. Counts size() values as requested.
  void Values(std::uint32_t i, std::span<double> f);
  /// Computes v_r(x_i) where needed[r] is not 0, and 0 elsewhere, for the example of the last Values() call.
  /// Its row is still stored, so no kernel value is requested.
  void TraceValues(std::span<const double> needed, std::span<double> v);
  /// Computes f and, if a trace is kept, v at the oldest term's example, and that term's coefficients alpha
  /// and beta. `self` = k(x, x) of that example. REQUIRES: hold_rows.
  void Oldest(double self, std::span<double> f, std::span<double> v, std::span<double> alpha,
              std::span<double> beta);
  /// Adds alpha_r k(x_i, .) to f_r and beta_r k(x_i, .) to v_r. If full, replaces the term at next_slot().
  /// REQUIRES: Values() was last called for x_i.
  void Insert(std::uint32_t i, std::span<const double> alpha, std::span<const double> beta) {
    this->Put(i, alpha, beta);
  }

  /// (kappa xi)_r where needed[r] is not 0. The output kernel kappa is the identity, so the result is xi.
  std::span<const double> OutputProducts(std::span<const double> xi, std::span<const double> /*needed*/) {
    return xi;
  }
  std::size_t outputs() const { return outputs_; }
  using CircularTerms<T>::Serialize;
  double alpha(std::size_t slot, std::size_t r) const { return this->AlphaAt(r, slot); }
  double beta(std::size_t slot, std::size_t r) const { return this->BetaAt(r, slot); }

  /// Scores f of rows of another data set, counted as evaluation: out[row * outputs + r].
  void Evaluate(const Inputs<T>& inputs, std::span<const std::uint32_t> rows, std::span<double> out);
  /// The same for v. REQUIRES: the trace was updated with MixTrace() only.
  void EvaluateTrace(const Inputs<T>& inputs, std::span<const std::uint32_t> rows, std::span<double> out);

 private:
  void Sum(const T* row, const double* columns, std::size_t count, double* sums);

  VectorOps<T> ops_;
  std::size_t outputs_;
  std::vector<double> sums_;  // sum_i a_ri k(x_i, x), from the last Values call
  AlignedVector<double> scratch_;
};

extern template class CircularExpansion<float>;
extern template class CircularExpansion<double>;

}  // namespace okbench
