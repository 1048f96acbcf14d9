#include "learners/support/pair_expansion.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "learners/support/columns.h"

namespace okbench {

template <class T>
PairExpansion<T>::PairExpansion(KernelEngine<T>& engine, const Inputs<T>& inputs, SupportBlocks<T> blocks,
                                const CircularOptions& options, LabelTree tree)
    : CircularTerms<T>(engine, inputs, std::move(blocks), options, 1),
      tree_(std::move(tree)),
      totals_(tree_.nodes()),
      sums_(tree_.classes()),
      products_(tree_.classes(), 0.0) {}

template <class T>
void PairExpansion<T>::Collect(const T* row, const double* coefficients) {
  std::fill(totals_.begin(), totals_.end(), 0.0);
  for (std::size_t slot = 0; slot < pairs_.size(); ++slot) {
    const double term = coefficients[slot] * static_cast<double>(row[slot]);
    totals_[pairs_[slot].up] += term;
    totals_[pairs_[slot].down] -= term;
  }
  tree_.SumUp(totals_);
}

template <class T>
void PairExpansion<T>::Values(std::uint32_t i, std::span<double> f) {
  Collect(this->Fetch(i), this->a(0));
  tree_.SumDown(totals_, sums_);
  for (std::size_t r = 0; r < f.size(); ++r) f[r] = this->s() * sums_[r];
}

template <class T>
void PairExpansion<T>::TraceValues(std::span<const double> needed, std::span<double> v) {
  std::fill(v.begin(), v.end(), 0.0);
  if (std::all_of(needed.begin(), needed.end(), [](double value) { return value == 0; })) return;
  Collect(this->row(), this->b(0));
  for (std::size_t r = 0; r < v.size(); ++r)
    if (needed[r] != 0) v[r] = this->p() * tree_.PathSum(totals_, r) + this->q() * sums_[r];
}

template <class T>
void PairExpansion<T>::Oldest(double self, std::span<double> f, std::span<double> v, std::span<double> alpha,
                              std::span<double> beta) {
  const T* row = this->OldestRow(self);
  const std::size_t slot = this->next_slot();
  Collect(row, this->a(0));
  tree_.SumDown(totals_, f);
  if (!v.empty()) {
    Collect(row, this->b(0));
    tree_.SumDown(totals_, v);
  }
  for (std::size_t r = 0; r < f.size(); ++r) {
    if (!v.empty()) {
      v[r] = this->p() * v[r] + this->q() * f[r];
      beta[r] = this->beta(slot, r);
    }
    f[r] *= this->s();
    alpha[r] = this->alpha(slot, r);
  }
}

template <class T>
void PairExpansion<T>::Insert(std::uint32_t i, std::span<const double> alpha, std::span<const double> beta) {
  std::size_t up = 0;
  while (up < alpha.size() && alpha[up] == 0) ++up;
  std::size_t down = up + 1;
  while (down < alpha.size() && alpha[down] == 0) ++down;
  const bool none = up >= alpha.size();  // a step of size 0
  if (!none && (down >= alpha.size() || alpha[up] != -alpha[down] || beta[up] != -beta[down]))
    throw InvalidArgument("a term between two outputs needs two opposite coefficients");
  const Pair pair = none ? Pair{} : Pair{tree_.leaf(up), tree_.leaf(down)};
  const double a = none ? 0 : alpha[up], b = none ? 0 : beta[up];
  const std::size_t slot = this->next_slot();
  if (slot == pairs_.size())
    pairs_.push_back(pair);
  else
    pairs_[slot] = pair;
  this->Put(i, std::span(&a, 1), std::span(&b, 1));
}

template <class T>
std::span<const double> PairExpansion<T>::OutputProducts(std::span<const double> xi,
                                                         std::span<const double> needed) {
  set_.clear();
  for (std::size_t r = 0; r < xi.size(); ++r)
    if (xi[r] != 0) set_.push_back(r);
  for (std::size_t r = 0; r < needed.size(); ++r) {
    if (needed[r] == 0) continue;
    products_[r] = 0;
    for (const std::size_t o : set_) products_[r] += tree_.Kappa(r, o) * xi[o];
  }
  return products_;
}

template <class T>
void PairExpansion<T>::EvaluateSums(const Inputs<T>& inputs, std::span<const std::uint32_t> rows,
                                    const double* coefficients, double scale, std::span<double> out) {
  ForEachRow(this->engine(), this->blocks(), inputs, rows, Purpose::kMeasuring,
             [&](std::size_t i, const T* row) {
               const auto sums = out.subspan(i * outputs(), outputs());
               Collect(row, coefficients);
               tree_.SumDown(totals_, sums);
               for (double& sum : sums) sum *= scale;
             });
}

template <class T>
void PairExpansion<T>::Evaluate(const Inputs<T>& inputs, std::span<const std::uint32_t> rows,
                                std::span<double> out) {
  EvaluateSums(inputs, rows, this->a(0), this->s(), out);
}

template <class T>
void PairExpansion<T>::EvaluateTrace(const Inputs<T>& inputs, std::span<const std::uint32_t> rows,
                                     std::span<double> out) {
  EvaluateSums(inputs, rows, this->b(0), 1, out);
}

template <class T>
double PairExpansion<T>::Share(std::size_t slot, std::size_t r) const {
  double share = 0;
  for (std::size_t o = 0; o < outputs(); ++o)
    if (const int sign = Sign(slot, o); sign != 0) share += sign * tree_.Kappa(r, o);
  return share;
}

template <class T>
void PairExpansion<T>::Serialize(Archive& archive) {
  CircularTerms<T>::Serialize(archive);
  std::vector<LabelTree::Node> up, down;
  for (const Pair& pair : pairs_) {
    up.push_back(pair.up);
    down.push_back(pair.down);
  }
  archive.Field("up", up);
  archive.Field("down", down);
  if (!archive.reading()) return;
  if (up.size() != this->size() || down.size() != up.size()) Archive::Fail("up", "does not fit the buffer");
  pairs_.clear();
  for (std::size_t i = 0; i < up.size(); ++i) {
    if (up[i] >= tree_.nodes() || down[i] >= tree_.nodes()) Archive::Fail("up", "has a node out of range");
    pairs_.push_back({up[i], down[i]});
  }
}

template class PairExpansion<float>;
template class PairExpansion<double>;

}  // namespace okbench
