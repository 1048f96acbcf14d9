#include "learners/methods/lasvm/score_store.h"

#include "learners/support/columns.h"

namespace okbench::lasvm {

template <class T>
TrainingSetScores<T>::TrainingSetScores(KernelEngine<T>& engine, const Inputs<T>& train,
                                        std::size_t cache_bytes)
    : blocks_(PackAll(engine, train, static_cast<const RowSource<T>*>(nullptr))),
      rows_(engine, blocks_, train, cache_bytes) {
  this->scores_.resize(blocks_.slots());
  this->contenders_.Resize(blocks_.slots());
}

template <class T>
SupportSetScores<T>::SupportSetScores(KernelEngine<T>& engine, const Inputs<T>& train,
                                      std::size_t cache_bytes)
    : rows_(engine, train, cache_bytes) {
  this->slots_.assign(train.rows->size(), kNone);
}

template <class T>
double SupportSetScores<T>::Score(std::uint32_t i) {
  if (this->slots_[i] != kNone) return this->held(i);
  double sum = 0;
  this->ops_.WeightedSums(rows_.Row(i, kNone), rows_.blocks(), alpha_.data(), alpha_.size(), 1,
                          scratch_.data(), &sum);
  return sum;
}

template <class T>
void SupportSetScores<T>::Prefetch(std::span<const std::uint32_t> examples) {
  unknown_.clear();
  for (const std::uint32_t i : examples)
    if (this->slots_[i] == kNone) unknown_.push_back(i);
  rows_.Prefetch(unknown_);
}

template <class T>
void SupportSetScores<T>::Enter(std::uint32_t i, double score) {
  if (rows_.HasGaps()) Pack();
  const std::uint32_t slot = this->slots_[i] = rows_.Add(i);
  for (auto* column : {&this->scores_, &alpha_, &scratch_}) column->resize(rows_.slots());
  this->contenders_.Resize(rows_.slots());
  this->scores_[slot] = score;
  alpha_[slot] = 0;
}

template <class T>
void SupportSetScores<T>::Leave(std::uint32_t i) {
  rows_.Remove(this->slots_[i]);
  this->slots_[i] = kNone;
}

template <class T>
void SupportSetScores<T>::Pack() {
  const std::vector<std::uint32_t> kept = rows_.Pack();
  for (std::uint32_t slot = 0; slot < kept.size(); ++slot) {
    this->scores_[slot] = this->scores_[kept[slot]];
    alpha_[slot] = alpha_[kept[slot]];
    this->contenders_.Copy(kept[slot], slot);
    this->slots_[rows_.example(slot)] = slot;
  }
  for (std::size_t slot = kept.size(); slot < alpha_.size(); ++slot) {
    alpha_[slot] = 0;
    this->contenders_.Unmark(slot);
  }
}

template class TrainingSetScores<float>;
template class TrainingSetScores<double>;
template class SupportSetScores<float>;
template class SupportSetScores<double>;

}  // namespace okbench::lasvm
