#include "learners/support/circular_expansion.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "learners/support/columns.h"

namespace okbench {
namespace {

// Slots whose b is tracked one by one; when there are more, all of them count as set.
constexpr std::size_t kFewFresh = 8;

}  // namespace

template <class T>
CircularExpansion<T>::CircularExpansion(KernelEngine<T>& engine, const Inputs<T>& inputs,
                                        SupportBlocks<T> blocks, std::size_t capacity, std::size_t outputs,
                                        bool trace, std::size_t tile)
    : engine_(engine),
      inputs_(inputs),
      capacity_(capacity),
      outputs_(outputs),
      trace_(trace),
      blocks_(std::move(blocks)),
      rows_(engine, inputs, tile),
      sums_(outputs) {}

// The buffer may be far larger than the stream: columns grow with the terms.
template <class T>
void CircularExpansion<T>::Reserve(std::size_t slots) {
  if (slots <= stride_) return;
  const std::size_t stride = std::min(GrownStride(slots), PaddedColumn(capacity_));
  WidenColumns(columns_, outputs_ * (trace_ ? 2 : 1), stride_, stride);
  scratch_.resize(stride);
  stride_ = stride;
}

template <class T>
void CircularExpansion<T>::Values(std::uint32_t i, std::span<double> f) {
  row_ = rows_.Row(blocks_, i);
  ops_.WeightedSums(row_, blocks_.blocks(), columns_.data(), stride_, outputs_, scratch_.data(),
                    sums_.data());
  for (std::size_t r = 0; r < outputs_; ++r) f[r] = s_ * sums_[r];
}

template <class T>
void CircularExpansion<T>::TraceValues(std::span<const double> needed, std::span<double> v) {
  for (std::size_t r = 0; r < outputs_; ++r) {
    v[r] = 0;
    if (needed[r] == 0) continue;
    double sum = 0;
    ops_.WeightedSums(row_, blocks_.blocks(), columns_.data() + (outputs_ + r) * stride_, stride_, 1,
                      scratch_.data(), &sum);
    v[r] = p_ * sum + q_ * sums_[r];
  }
}

template <class T>
void CircularExpansion<T>::Decay(double decay) {
  s_ *= decay;
  MaterialiseIfExtreme();
}

template <class T>
void CircularExpansion<T>::DecayWithTrace(double decay, double keep, double shift) {
  q_ = keep * q_ - shift * s_;
  p_ *= keep;
  if (p_ == 0) {
    // lambda = 0: v is a multiple of f up to its newest term; forget b at the cost of the few entries set.
    if (fresh_.size() <= kFewFresh)
      for (const std::size_t slot : fresh_)
        for (std::size_t r = 0; r < outputs_; ++r) columns_[(outputs_ + r) * stride_ + slot] = 0;
    else
      std::fill(columns_.begin() + static_cast<std::ptrdiff_t>(outputs_ * stride_), columns_.end(), 0.0);
    fresh_.clear();
    p_ = 1;
  }
  // A vanishing f (decay 0) would lose beta = q a: fold first.
  if (decay == 0 && q_ != 0) Materialise();
  s_ *= decay;
  MaterialiseIfExtreme();
}

template <class T>
void CircularExpansion<T>::MixTrace(double share) {
  const std::size_t used = blocks_.slots();
  for (std::size_t r = 0; r < outputs_; ++r) {
    const double* a = columns_.data() + r * stride_;
    double* b = columns_.data() + (outputs_ + r) * stride_;
    for (std::size_t i = 0; i < used; ++i) b[i] = (1 - share) * b[i] + share * s_ * a[i];
  }
}

template <class T>
void CircularExpansion<T>::Materialise() {
  const std::size_t used = blocks_.slots();
  for (std::size_t r = 0; r < outputs_; ++r) {
    double* a = columns_.data() + r * stride_;
    if (trace_) {
      double* b = columns_.data() + (outputs_ + r) * stride_;
      for (std::size_t i = 0; i < used; ++i) b[i] = p_ * b[i] + q_ * a[i];
    }
    for (std::size_t i = 0; i < used; ++i) a[i] *= s_;
  }
  fresh_.assign(kFewFresh + 1, 0);  // any b may now differ from 0
  s_ = p_ = 1;
  q_ = 0;
}

template <class T>
void CircularExpansion<T>::MaterialiseIfExtreme() {
  // New entries are divided by s and p, and b holds beta - q a: both need factors of ordinary size.
  constexpr double kTiny = 1e-100;
  constexpr double kRatio = 1e3;
  const bool extreme = std::fabs(s_) < kTiny || std::fabs(s_) > 1 / kTiny ||
                       (trace_ && (std::fabs(p_) < kTiny || std::fabs(p_) > 1 / kTiny ||
                                   std::fabs(q_) > kRatio * std::fabs(s_)));
  if (extreme) Materialise();
}

template <class T>
void CircularExpansion<T>::Insert(std::uint32_t i, std::span<const double> alpha,
                                  std::span<const double> beta) {
  const std::size_t slot = head_;
  Reserve(blocks_.slots() + (slot == blocks_.slots() ? SupportBlocks<T>::kBlock : 0));
  head_ = head_ + 1 == capacity_ ? 0 : head_ + 1;
  blocks_.Put(slot, inputs_, i);
  if (slot == examples_.size())
    examples_.push_back(i);
  else
    examples_[slot] = i;
  for (std::size_t r = 0; r < outputs_; ++r) {
    const double a = alpha[r] / s_;
    columns_[r * stride_ + slot] = a;
    if (trace_) columns_[(outputs_ + r) * stride_ + slot] = (beta[r] - q_ * a) / p_;
  }
  if (fresh_.size() <= kFewFresh) fresh_.push_back(slot);
}

template <class T>
void CircularExpansion<T>::Evaluate(const Inputs<T>& inputs, std::span<const std::uint32_t> rows,
                                    std::span<double> out) {
  EvaluateColumns(engine_, blocks_, inputs, rows, columns_.data(), stride_, outputs_, s_,
                  Purpose::kEvaluation, out);
}

template <class T>
void CircularExpansion<T>::EvaluateTrace(const Inputs<T>& inputs, std::span<const std::uint32_t> rows,
                                         std::span<double> out) {
  EvaluateColumns(engine_, blocks_, inputs, rows, columns_.data() + outputs_ * stride_, stride_, outputs_,
                  1.0, Purpose::kEvaluation, out);
}

template class CircularExpansion<float>;
template class CircularExpansion<double>;

}  // namespace okbench
