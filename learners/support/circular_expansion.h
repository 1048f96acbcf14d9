#pragma once
// CircularExpansion: one or two functions in a reproducing kernel Hilbert space over a circular buffer of
// support vectors, a column of coefficients for each output.
//
//   f_r = sum_i alpha_ri k(x_i, .)   and, when a trace is kept,   v_r = sum_i beta_ri k(x_i, .)
//
// for r = 0 .. outputs-1. Sums run in slot order, one chain per lane of a block, then a fixed tree.

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

  /// f(x_i) from one kernel row: size() values requested.
  void Values(std::uint32_t i, std::span<double> f);
  /// v_r(x_i) for the example of the last Values call, where needed[r] is not 0; the others become 0. The row
  /// is held: no kernel value is requested.
  void TraceValues(std::span<const double> needed, std::span<double> v);
  /// f and, when a trace is kept, v of the oldest term's example, and its coefficients alpha and beta; rows
  /// must be held.
  void Oldest(double self, std::span<double> f, std::span<double> v, std::span<double> alpha,
              std::span<double> beta);
  /// Adds alpha_r k(x_i, .) to f_r and beta_r k(x_i, .) to v_r, in place of the oldest term when full.
  void Insert(std::uint32_t i, std::span<const double> alpha, std::span<const double> beta) {
    this->Put(i, alpha, beta);
  }

  /// (kappa xi)_r where needed[r] is not 0, for the identity between outputs: xi itself.
  std::span<const double> OutputProducts(std::span<const double> xi, std::span<const double> /*needed*/) {
    return xi;
  }
  std::size_t outputs() const { return outputs_; }
  using CircularTerms<T>::Serialize;
  double alpha(std::size_t slot, std::size_t r) const { return this->AlphaAt(r, slot); }
  double beta(std::size_t slot, std::size_t r) const { return this->BetaAt(r, slot); }

  /// Scores f of several rows of another data set, counted as evaluation: out[row * outputs + r].
  void Evaluate(const Inputs<T>& inputs, std::span<const std::uint32_t> rows, std::span<double> out);
  /// The same for v, under MixTrace.
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
