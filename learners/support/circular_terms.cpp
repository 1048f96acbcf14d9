#include "learners/support/circular_terms.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "learners/support/columns.h"

namespace okbench {
namespace {

// Maximum number of slots tracked individually in fresh_; a longer list means that any b may be nonzero.
constexpr std::size_t kFewFresh = 8;

}  // namespace

template <class T>
CircularTerms<T>::CircularTerms(KernelEngine<T>& engine, const Inputs<T>& inputs, SupportBlocks<T> blocks,
                                const CircularOptions& options, std::size_t columns)
    : engine_(engine),
      inputs_(inputs),
      options_(options),
      columns_(columns),
      blocks_(std::move(blocks)),
      rows_(engine, inputs, options.lookahead) {}

// Columns grow with the terms, because the capacity may far exceed the stream.
template <class T>
void CircularTerms<T>::Reserve(std::size_t slots) {
  if (slots <= stride_) return;
  const std::size_t stride = std::min(GrownStride(slots), PaddedColumn(options_.capacity));
  WidenColumns(values_, columns_ * (options_.trace ? 2 : 1), stride_, stride);
  stride_ = stride;
}

template <class T>
void CircularTerms<T>::Decay(double decay) {
  s_ *= decay;
  MaterialiseIfExtreme();
}

template <class T>
void CircularTerms<T>::DecayWithTrace(double decay, double keep, double shift) {
  q_ = keep * q_ - shift * s_;
  p_ *= keep;
  if (p_ == 0) {
    // lambda = 0: v is a multiple of f except for its newest terms. Reset b in the few slots where it is
    // nonzero.
    if (fresh_.size() <= kFewFresh)
      for (const std::size_t slot : fresh_)
        for (std::size_t c = 0; c < columns_; ++c) B(c)[slot] = 0;
    else
      std::fill(values_.begin() + static_cast<std::ptrdiff_t>(columns_ * stride_), values_.end(), 0.0);
    fresh_.clear();
    p_ = 1;
  }
  // decay = 0 would lose beta = q a, so fold the factors into the entries first.
  if (decay == 0 && q_ != 0) Materialise();
  s_ *= decay;
  MaterialiseIfExtreme();
}

template <class T>
void CircularTerms<T>::MixTrace(double share) {
  const std::size_t used = blocks_.slots();
  for (std::size_t c = 0; c < columns_; ++c) {
    const double* a = A(c);
    double* b = B(c);
    for (std::size_t i = 0; i < used; ++i) b[i] = (1 - share) * b[i] + share * s_ * a[i];
  }
}

template <class T>
void CircularTerms<T>::Materialise() {
  const std::size_t used = blocks_.slots();
  for (std::size_t c = 0; c < columns_; ++c) {
    double* a = A(c);
    if (options_.trace) {
      double* b = B(c);
      for (std::size_t i = 0; i < used; ++i) b[i] = p_ * b[i] + q_ * a[i];
    }
    for (std::size_t i = 0; i < used; ++i) a[i] *= s_;
  }
  fresh_.assign(kFewFresh + 1, 0);  // any b may be nonzero
  s_ = p_ = 1;
  q_ = 0;
}

template <class T>
void CircularTerms<T>::MaterialiseIfExtreme() {
  // New entries are divided by s and p, and b stores beta - q a. Both need factors of moderate size.
  constexpr double kTiny = 1e-100;
  constexpr double kRatio = 1e3;
  const bool extreme = std::fabs(s_) < kTiny || std::fabs(s_) > 1 / kTiny ||
                       (options_.trace && (std::fabs(p_) < kTiny || std::fabs(p_) > 1 / kTiny ||
                                           std::fabs(q_) > kRatio * std::fabs(s_)));
  if (extreme) Materialise();
}

template <class T>
const T* CircularTerms<T>::OldestRow(double self) {
  // All other terms are newer, so each stores its kernel value with the oldest one.
  oldest_.assign(blocks_.slots(), T(0));
  for (std::size_t slot = 0; slot < examples_.size(); ++slot)
    oldest_[slot] = slot == head_ ? static_cast<T>(self) : kernel_rows_[slot][head_];
  return oldest_.data();
}

// The slot with the least sum of squared coefficients of f; the lowest slot among ties. The common factor s_
// does not change the order.
template <class T>
std::size_t CircularTerms<T>::SmallestSlot() const {
  std::size_t smallest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t slot = 0; slot < size(); ++slot) {
    double sum = 0;
    for (std::size_t c = 0; c < columns_; ++c) sum += Entry(c, slot) * Entry(c, slot);
    if (sum < least) {
      least = sum;
      smallest = slot;
    }
  }
  return smallest;
}

template <class T>
void CircularTerms<T>::Put(std::uint32_t i, std::span<const double> alpha, std::span<const double> beta) {
  const std::size_t slot = next_slot();
  if (options_.hold_rows) {
    if (slot == kernel_rows_.size()) kernel_rows_.emplace_back();
    kernel_rows_[slot].assign(row_, row_ + blocks_.slots());
  }
  Reserve(blocks_.slots() + (slot == blocks_.slots() ? SupportBlocks<T>::kBlock : 0));
  head_ = head_ + 1 == options_.capacity ? 0 : head_ + 1;
  blocks_.Put(slot, inputs_, i);
  if (slot == examples_.size())
    examples_.push_back(i);
  else
    examples_[slot] = i;
  for (std::size_t c = 0; c < columns_; ++c) {
    const double a = alpha[c] / s_;
    A(c)[slot] = a;
    if (options_.trace) B(c)[slot] = (beta[c] - q_ * a) / p_;
  }
  if (fresh_.size() <= kFewFresh) fresh_.push_back(slot);
}

template <class T>
std::vector<std::size_t> CircularTerms<T>::UsedSlots() const {
  std::vector<std::size_t> used;
  for (std::size_t slot = 0; slot < blocks_.slots(); ++slot)
    if (blocks_.in_use(slot)) used.push_back(slot);
  return used;
}

template <class T>
bool CircularTerms<T>::StateFits() const {
  if (size() > options_.capacity || examples_.size() != size() ||
      (full() ? head_ >= options_.capacity : head_ != size()))
    return false;
  for (std::size_t slot = 0; slot < size(); ++slot)
    if (!blocks_.in_use(slot)) return false;
  // A term that replaced another one stores its values with all slots, any other term those with the slots
  // before its own. OldestRow() reads no more.
  for (std::size_t slot = 0; slot < kernel_rows_.size(); ++slot)
    if (kernel_rows_[slot].size() < (full() && slot < head_ ? options_.capacity : slot)) return false;
  return fresh_.size() > kFewFresh ||
         std::all_of(fresh_.begin(), fresh_.end(), [&](std::size_t slot) { return slot < size(); });
}

template <class T>
void CircularTerms<T>::Serialize(Archive& archive) {
  engine_.Serialize(archive, blocks_);
  archive.Field("examples", examples_);
  archive.Field("head", head_);
  archive.Field("s", s_);
  archive.Field("p", p_);
  archive.Field("q", q_);
  archive.Field("fresh", fresh_);
  std::size_t row_count = kernel_rows_.size();
  archive.Field("held", row_count);
  kernel_rows_.resize(options_.hold_rows ? size() : 0);
  for (auto& row : kernel_rows_) archive.Field("held_row", row);
  if (archive.reading()) {
    if (!StateFits() || row_count != kernel_rows_.size())
      Archive::Fail("examples", "does not fit the buffer");
    Reserve(blocks_.slots());
  }
  const std::size_t functions = columns_ * (options_.trace ? 2 : 1);
  for (std::size_t c = 0; c < functions; ++c)
    archive.Values("column", values_.data() + c * stride_, blocks_.slots());
}

template class CircularTerms<float>;
template class CircularTerms<double>;

}  // namespace okbench
