#include "learners/bases/scored_cache.h"

#include <algorithm>
#include <array>
#include <utility>

#include "learners/support/columns.h"

namespace okbench {

template <class T>
ScoredCache<T>::ScoredCache(KernelEngine<T>& engine, const ExampleInputs<T>& inputs, SupportBlocks<T> blocks,
                            std::size_t outputs, const CacheOptions& options, std::size_t lookahead)
    : engine_(engine),
      inputs_(inputs),
      blocks_(std::move(blocks)),
      outputs_(outputs),
      options_(options),
      rows_(engine, inputs, lookahead) {}

template <class T>
void ScoredCache<T>::Reserve(std::size_t slots) {
  if (slots <= stride_) return;
  const std::size_t stride = GrownStride(slots);
  WidenColumns(tau_, outputs_, stride_, stride);
  if (options_.keep_scores) WidenColumns(scores_, outputs_, stride_, stride);
  for (auto* list : {&self_, &labels_, &margins_, &scratch_}) list->resize(stride, 0.0);
  vacant_.resize(stride, 1.0);
  stride_ = stride;
}

template <class T>
void ScoredCache<T>::Scores(std::uint32_t i, std::span<double> f) {
  pending_ = i;
  row_ = rows_.Row(blocks_, i);
  ops_.WeightedSums(row_, blocks_.blocks(), tau_.data(), stride_, outputs_, scratch_.data(), f.data());
}

template <class T>
std::size_t ScoredCache<T>::TakeSlot() {
  if (!free_.empty()) {
    const std::size_t slot = free_.top();
    free_.pop();
    return slot;
  }
  const std::size_t slot = examples_.size();
  examples_.push_back(0);
  in_use_.push_back(0);
  arrival_.push_back(0);
  if (options_.hold_rows) kernel_rows_.emplace_back();
  return slot;
}

template <class T>
void ScoredCache<T>::Insert(std::span<const double> tau, std::span<const double> f, double self) {
  const std::size_t width = blocks_.slots();
  const std::size_t slot = TakeSlot();
  // Reserves the whole block of the new slot, because sums and updates run over whole blocks.
  constexpr std::size_t kBlock = SupportBlocks<T>::kBlock;
  Reserve((examples_.size() + kBlock - 1) / kBlock * kBlock);
  if (options_.hold_rows) kernel_rows_[slot].assign(row_, row_ + width);
  if (options_.keep_scores) {
    // Free slots get undefined scores, which are not read before the slot is filled again.
    for (std::size_t r = 0; r < outputs_; ++r) {
      if (tau[r] != 0) ops_.AddScaled(row_, width, tau[r], scores_.data() + r * stride_);
      scores_[r * stride_ + slot] = f[r] + tau[r] * self;
    }
  }
  blocks_.Put(slot, inputs_, pending_);
  for (std::size_t r = 0; r < outputs_; ++r) tau_[r * stride_ + slot] = tau[r];
  self_[slot] = self;
  labels_[slot] = inputs_.examples->label(pending_);
  examples_[slot] = pending_;
  in_use_[slot] = 1;
  vacant_[slot] = 0;
  arrival_[slot] = ++arrivals_;
}

template <class T>
typename ScoredCache<T>::Candidate ScoredCache<T>::LargestMargin() {
  const ScoredMembers members{.slots = blocks_.slots(),
                              .outputs = outputs_,
                              .stride = stride_,
                              .scores = scores_.data(),
                              .tau = tau_.data(),
                              .self = self_.data(),
                              .labels = labels_.data(),
                              .vacant = vacant_.data()};
  const std::size_t slot = ops_.LargestMargin(members, margins_.data());
  return {.slot = slot, .margin = margins_[slot]};
}

template <class T>
const T* ScoredCache<T>::RemovalRow(std::size_t slot) {
  removal_row_.resize(blocks_.slots());
  if (!options_.hold_rows) {
    if (examples_[slot] == kNoExample) {
      const Examples<T> row = blocks_.Rows(std::array{slot});
      engine_.Row(blocks_, engine_.Prepare(static_cast<const RowSource<T>&>(row)), 0, Purpose::kLearning,
                  removal_row_.data());
    } else {
      engine_.Row(blocks_, inputs_, examples_[slot], Purpose::kLearning, removal_row_.data());
    }
    return removal_row_.data();
  }
  for (std::size_t j = 0; j < examples_.size(); ++j) {
    if (in_use_[j] == 0 || j == slot) continue;
    removal_row_[j] = arrival_[j] > arrival_[slot] ? kernel_rows_[j][slot] : kernel_rows_[slot][j];
  }
  return removal_row_.data();
}

template <class T>
void ScoredCache<T>::Remove(std::size_t slot, std::span<double> f) {
  const T* row = RemovalRow(slot);
  for (std::size_t r = 0; r < outputs_; ++r) {
    double& tau = tau_[r * stride_ + slot];
    if (tau == 0) continue;
    ops_.AddScaled(row, blocks_.slots(), -tau, scores_.data() + r * stride_);
    if (!f.empty()) f[r] -= tau * static_cast<double>(row_[slot]);
    tau = 0;
  }
  blocks_.Remove(slot);
  in_use_[slot] = 0;
  vacant_[slot] = 1;
  free_.push(slot);
}

template <class T>
void ScoredCache<T>::Evaluate(const Inputs<T>& inputs, std::span<const std::uint32_t> rows,
                              std::span<double> out) {
  EvaluateColumns(engine_, blocks_, inputs, rows, tau_.data(), stride_, outputs_, 1.0, Purpose::kMeasuring,
                  out);
}

template <class T>
void ScoredCache<T>::OnRowsAppended() {
  std::fill(examples_.begin(), examples_.end(), kNoExample);
}

template <class T>
void ScoredCache<T>::Serialize(Archive& archive) {
  engine_.Serialize(archive, blocks_);
  archive.Field("in_use", in_use_);
  archive.Field("arrival", arrival_);
  archive.Field("arrivals", arrivals_);
  const std::size_t slots = in_use_.size();
  if (archive.reading()) {
    if (slots > blocks_.slots() || arrival_.size() != slots)
      Archive::Fail("in_use", "does not fit the cache");
    free_ = {};
    for (std::size_t slot = 0; slot < slots; ++slot) {
      if ((in_use_[slot] != 0) != blocks_.in_use(slot)) Archive::Fail("in_use", "does not fit the cache");
      if (in_use_[slot] == 0) free_.push(slot);
    }
    examples_.assign(slots, kNoExample);
    Reserve(blocks_.slots());
    for (std::size_t slot = 0; slot < slots; ++slot) vacant_[slot] = in_use_[slot] != 0 ? 0 : 1;
    if (options_.hold_rows) kernel_rows_.resize(slots);
  }
  for (auto& row : kernel_rows_) archive.Field("held_row", row);
  archive.Values("self", self_.data(), slots);
  archive.Values("labels", labels_.data(), slots);
  for (std::size_t r = 0; r < outputs_; ++r) {
    archive.Values("tau", tau_.data() + r * stride_, slots);
    if (options_.keep_scores) archive.Values("scores", scores_.data() + r * stride_, slots);
  }
}

template class ScoredCache<float>;
template class ScoredCache<double>;

}  // namespace okbench
