#pragma once
// PairExpansion: one or two functions over a circular buffer, each of whose terms lies between two outputs of
// a label tree:
//
//   f(x, y) = sum_i alpha_i k(x_i, x) (kappa(u_i, y) - kappa(d_i, y)),   v(x, y) the same with beta_i,
//
// what gradients of the soft margin loss give (u_i the label of x_i, d_i the output that violated most; eq.
// 66 of svmd-2006). A term holds u, d, alpha and beta. Its kernel value is added to the sums of two leaves;
// one sweep up and one down the tree give f of every output, so that a step costs O(terms + nodes) beside its
// kernel row, whatever the number of outputs. Sums run in slot order.

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

  /// As CircularExpansion's functions of these names; coefficients have two entries that are not 0, opposite
  /// ones.
  void Values(std::uint32_t i, std::span<double> f);
  void TraceValues(std::span<const double> needed, std::span<double> v);
  void Oldest(double self, std::span<double> f, std::span<double> v, std::span<double> alpha,
              std::span<double> beta);
  void Insert(std::uint32_t i, std::span<const double> alpha, std::span<const double> beta);

  /// (kappa xi)_r where needed[r] is not 0, of any xi over the outputs; valid until the next call.
  std::span<const double> OutputProducts(std::span<const double> xi, std::span<const double> needed);
  std::size_t outputs() const { return tree_.classes(); }
  /// What a coefficient 1 of the term in a slot gives output r: kappa(u, r) - kappa(d, r).
  double Share(std::size_t slot, std::size_t r) const;
  /// That coefficient in f, or in v.
  double Coefficient(std::size_t slot, bool in_trace) const {
    return in_trace ? this->BetaAt(0, slot) : this->AlphaAt(0, slot);
  }
  /// Coefficients at output r.
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
  // totals_ <- totals of subtrees of sum_i c_i row_i (e_up - e_down).
  void Collect(const T* row, const double* coefficients);
  void EvaluateSums(const Inputs<T>& inputs, std::span<const std::uint32_t> rows, const double* coefficients,
                    double scale, std::span<double> out);

  LabelTree tree_;
  std::vector<Pair> pairs_;     // by slot
  std::vector<double> totals_;  // by node
  std::vector<double> sums_;    // of a, from the last Values call, by output
  std::vector<double> products_;
  std::vector<std::size_t> set_;  // outputs where xi is not 0
};

extern template class PairExpansion<float>;
extern template class PairExpansion<double>;

}  // namespace okbench
