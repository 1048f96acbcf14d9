#pragma once
// PairExpansion: one or two functions over a circular buffer whose terms belong to pairs of outputs of a
// label tree.
//
//   f(x, y) = sum_i alpha_i k(x_i, x) (kappa(u_i, y) - kappa(d_i, y)),   v(x, y) the same with beta_i
//
// Gradients of the soft margin loss have this form: u_i is the label of x_i, and d_i the output that violates
// the margin most (eq. 66 of svmd-2006). A term stores u, d, alpha and beta.
//
// The kernel value of a term is added to the sums of two leaves. One upward and one downward sweep over the
// tree then give f of every output. A step costs O(terms + nodes) plus one kernel row, for any number of
// outputs. Sums run in slot order. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/outputs/label_tree.h"
#include "learners/support/circular_terms.h"

namespace okbench {

template <class T>
class PairExpansion final : public CircularTerms<T> {
 public:
  PairExpansion(KernelEngine<T>& engine, const Inputs<T>& inputs, SupportBlocks<T> blocks,
                const CircularOptions& options, LabelTree tree);

  void Serialize(Archive& archive);

  /// Like the functions of these names in CircularExpansion. Coefficient vectors must be 0, or have exactly
  /// two nonzero entries of opposite sign and equal size; Insert() throws InvalidArgument otherwise.
  void Values(std::uint32_t i, std::span<double> f);
  void TraceValues(std::span<const double> needed, std::span<double> v);
  void Oldest(double self, std::span<double> f, std::span<double> v, std::span<double> alpha,
              std::span<double> beta);
  void Insert(std::uint32_t i, std::span<const double> alpha, std::span<const double> beta);

  /// (kappa xi)_r where needed[r] is not 0, for any vector xi over the outputs. Valid until the next call.
  std::span<const double> OutputProducts(std::span<const double> xi, std::span<const double> needed);
  std::size_t outputs() const { return tree_.classes(); }
  /// kappa(u, r) - kappa(d, r) of the term in a slot: its contribution to output r per unit of coefficient.
  double Share(std::size_t slot, std::size_t r) const;
  /// The coefficient of a term in v if `in_trace`, else in f.
  double Coefficient(std::size_t slot, bool in_trace) const {
    return in_trace ? this->BetaAt(0, slot) : this->AlphaAt(0, slot);
  }
  /// Coefficients at output r, as in CircularExpansion.
  double alpha(std::size_t slot, std::size_t r) const { return Sign(slot, r) * this->AlphaAt(0, slot); }
  double beta(std::size_t slot, std::size_t r) const { return Sign(slot, r) * this->BetaAt(0, slot); }

  void Evaluate(const Inputs<T>& inputs, std::span<const std::uint32_t> rows, std::span<double> out);
  void EvaluateTrace(const Inputs<T>& inputs, std::span<const std::uint32_t> rows, std::span<double> out);

 private:
  struct Pair {
    LabelTree::Node up = 0, down = 0;  // leaves
  };
  int Sign(std::size_t slot, std::size_t r) const {
    return (pairs_[slot].up == tree_.leaf(r) ? 1 : 0) - (pairs_[slot].down == tree_.leaf(r) ? 1 : 0);
  }
  // totals_ <- subtree totals of sum_i c_i row_i (e_up - e_down).
  void Collect(const T* row, const double* coefficients);
  void EvaluateSums(const Inputs<T>& inputs, std::span<const std::uint32_t> rows, const double* coefficients,
                    double scale, std::span<double> out);

  LabelTree tree_;
  std::vector<Pair> pairs_;     // [slot]
  std::vector<double> totals_;  // [node]
  std::vector<double> sums_;    // [output] sums with entries a, from the last Values()
  std::vector<double> products_;
  std::vector<std::size_t> set_;  // outputs with nonzero xi
};

extern template class PairExpansion<float>;
extern template class PairExpansion<double>;

}  // namespace okbench
