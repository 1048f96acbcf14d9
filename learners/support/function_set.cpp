#include "learners/support/function_set.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "learners/support/columns.h"

namespace okbench {
namespace {

// Outside this range, the factor of a function is folded into its coefficients.
constexpr double kSmallScale = 0x1p-300, kLargeScale = 0x1p300;

}  // namespace

template <class T>
FunctionSet<T>::FunctionSet(KernelEngine<T>& engine, const ExampleInputs<T>& inputs, SupportBlocks<T> blocks,
                            std::size_t functions, std::size_t lookahead)
    : engine_(engine),
      inputs_(inputs),
      blocks_(std::move(blocks)),
      rows_(engine, inputs, lookahead),
      functions_(functions) {}

template <class T>
void FunctionSet<T>::AddFunction(bool joint) {
  functions_.emplace_back();
  columns_.resize(functions_.size() * stride_, 0.0);
  if (!joint) return;
  for (const std::uint32_t slot : functions_[0].members) AddMember(functions_.size() - 1, slot, 0);
}

template <class T>
void FunctionSet<T>::Fetch(std::uint32_t i, std::span<double> f, Purpose purpose) {
  pending_ = i;
  purpose_ = purpose;
  pending_slot_ = kNoSlot;
  vectors_.clear();
  self_known_ = false;
  if (purpose == Purpose::kLearning) {
    row_ = rows_.Row(blocks_, i);
  } else {
    member_row_.resize(blocks_.slots());
    engine_.Row(blocks_, inputs_, i, purpose, member_row_.data());
    row_ = member_row_.data();
  }
  ops_.WeightedSums(row_, blocks_.blocks(), columns_.data(), stride_, functions_.size(), scratch_.data(),
                    f.data());
  for (std::size_t r = 0; r < functions_.size(); ++r) f[r] *= functions_[r].scale;
}

template <class T>
double FunctionSet<T>::Self() {
  if (!self_known_) self_ = engine_.Self(inputs_, pending_, purpose_);
  self_known_ = true;
  return self_;
}

// row_ refers to the slots at the time of Fetch(). The slot that x_t received may have held another vector
// then.
template <class T>
double FunctionSet<T>::Value(std::size_t slot) {
  return slot == pending_slot_ ? Self() : static_cast<double>(row_[slot]);
}

template <class T>
void FunctionSet<T>::Values(std::size_t r, std::vector<double>& out) {
  const std::vector<std::uint32_t>& members = functions_[r].members;
  out.resize(members.size());
  for (std::size_t j = 0; j < out.size(); ++j)
    out[j] = members[j] == pending_slot_ ? Self() : static_cast<double>(row_[members[j]]);
}

template <class T>
void FunctionSet<T>::Reserve(std::size_t slots) {
  if (slots <= stride_) return;
  const std::size_t stride = GrownStride(slots);
  WidenColumns(columns_, functions_.size(), stride_, stride);
  scratch_.resize(stride, 0.0);
  stride_ = stride;
}

template <class T>
std::size_t FunctionSet<T>::TakeSlot() {
  if (!free_.empty()) {
    const std::size_t slot = free_.top();
    free_.pop();
    return slot;
  }
  const std::size_t slot = examples_.size();
  examples_.push_back(kNoExample);
  holders_.push_back(0);
  // Reserves the whole block of the new slot, because sums run over whole blocks.
  constexpr std::size_t kBlock = SupportBlocks<T>::kBlock;
  Reserve((examples_.size() + kBlock - 1) / kBlock * kBlock);
  return slot;
}

template <class T>
void FunctionSet<T>::AddMember(std::size_t r, std::size_t slot, double alpha) {
  functions_[r].members.push_back(static_cast<std::uint32_t>(slot));
  Column(r)[slot] = alpha / functions_[r].scale;
  ++holders_[slot];
}

template <class T>
std::size_t FunctionSet<T>::AddExample(std::size_t r, double alpha) {
  if (pending_slot_ == kNoSlot) {
    pending_slot_ = TakeSlot();
    blocks_.Put(pending_slot_, inputs_, pending_);
    examples_[pending_slot_] = pending_;
  }
  AddMember(r, pending_slot_, alpha);
  return pending_slot_;
}

template <class T>
std::size_t FunctionSet<T>::AddVector(std::size_t r, std::span<const T> values, double alpha) {
  std::vector<std::uint32_t> indices;
  std::vector<T> entries(values.begin(), values.end());
  std::vector<std::size_t> offsets;
  if (blocks_.packing() == Packing::kInverted) {
    entries.clear();
    for (std::size_t j = 0; j < values.size(); ++j) {
      if (values[j] == 0) continue;
      indices.push_back(static_cast<std::uint32_t>(j));
      entries.push_back(values[j]);
    }
    offsets = {0, entries.size()};
  }
  const auto row = Examples<T>::Unlabelled(1, values.size(), std::move(entries), offsets, std::move(indices));
  const std::size_t slot = TakeSlot();
  blocks_.Put(slot, engine_.Prepare(static_cast<const RowSource<T>&>(row)), 0);
  examples_[slot] = kNoExample;
  vectors_.push_back(slot);
  AddMember(r, slot, alpha);
  return slot;
}

template <class T>
void FunctionSet<T>::Remove(std::size_t r, std::size_t place) {
  auto& members = functions_[r].members;
  const std::size_t slot = members[place];
  members.erase(members.begin() + static_cast<std::ptrdiff_t>(place));
  Column(r)[slot] = 0;
  if (--holders_[slot] > 0) return;
  blocks_.Remove(slot);
  free_.push(slot);
  if (slot == pending_slot_) pending_slot_ = kNoSlot;
}

template <class T>
void FunctionSet<T>::Multiply(std::size_t r, double factor) {
  Function& function = functions_[r];
  if (factor == 0) {
    while (!function.members.empty()) Remove(r, function.members.size() - 1);
    function.scale = 1;
    return;
  }
  function.scale *= factor;
  const double size = std::fabs(function.scale);
  if (size > kSmallScale && size < kLargeScale) return;
  for (const std::uint32_t slot : function.members) Column(r)[slot] *= function.scale;
  function.scale = 1;
}

template <class T>
void FunctionSet<T>::MemberRow(std::size_t slot, std::span<const std::uint32_t> others,
                               std::vector<double>& out) {
  out.resize(others.size());
  if (slot == pending_slot_) {
    for (std::size_t j = 0; j < others.size(); ++j) out[j] = Value(others[j]);
    return;
  }
  member_row_.resize(blocks_.slots());
  const std::array<std::uint32_t, 1> zero = {0}, example = {examples_[slot]};
  const auto rows = [&](const Inputs<T>& inputs, std::span<const std::uint32_t> which) {
    engine_.Rows(blocks_, inputs, which, Purpose::kLearning, false, member_row_.data(), member_row_.size());
  };
  if (examples_[slot] == kNoExample) {
    const Examples<T> row = blocks_.Rows(std::array{slot});
    rows(engine_.Prepare(static_cast<const RowSource<T>&>(row)), zero);
  } else {
    rows(inputs_, example);
  }
  const bool is_cached = pending_slot_ != kNoSlot &&
                         std::find(others.begin(), others.end(), pending_slot_) != others.end() &&
                         std::find(vectors_.begin(), vectors_.end(), slot) == vectors_.end();
  engine_.CountRequested(zero, others, is_cached ? 1 : 0);
  for (std::size_t j = 0; j < others.size(); ++j) out[j] = static_cast<double>(member_row_[others[j]]);
}

template <class T>
void FunctionSet<T>::Vector(std::size_t slot, std::span<T> out) const {
  std::fill(out.begin(), out.end(), T(0));
  const Examples<T> rows = blocks_.Rows(std::array{slot});
  const RowView<T> row = rows.row(0);
  for (std::size_t e = 0; e < row.count; ++e)
    out[row.indices == nullptr ? e : row.indices[e]] = row.values[e];
}

template <class T>
void FunctionSet<T>::SetAlphas(std::size_t r, std::span<const double> alphas) {
  const Function& function = functions_[r];
  double* const column = Column(r);
  for (std::size_t j = 0; j < function.members.size(); ++j)
    column[function.members[j]] = alphas[j] / function.scale;
}

template <class T>
void FunctionSet<T>::AddToAlphas(std::size_t r, double factor, std::span<const double> direction) {
  const Function& function = functions_[r];
  double* const column = Column(r);
  for (std::size_t j = 0; j < direction.size(); ++j) {
    double& entry = column[function.members[j]];
    const double alpha = function.scale * entry + factor * direction[j];
    entry = function.scale == 1 ? alpha : alpha / function.scale;
  }
}

template <class T>
void FunctionSet<T>::Evaluate(const Inputs<T>& inputs, std::span<const std::uint32_t> rows,
                              std::span<double> out) {
  AlignedVector<double> scaled = columns_;
  for (std::size_t r = 0; r < functions_.size(); ++r)
    for (const std::uint32_t slot : functions_[r].members) scaled[r * stride_ + slot] *= functions_[r].scale;
  EvaluateColumns(engine_, blocks_, inputs, rows, scaled.data(), stride_, functions_.size(), 1.0,
                  Purpose::kMeasuring, out);
}

template <class T>
double FunctionSet<T>::EvaluateRow(std::size_t r, const Inputs<T>& inputs, std::uint32_t i,
                                   std::vector<double>& out) {
  member_row_.resize(blocks_.slots());
  engine_.Row(blocks_, inputs, i, Purpose::kMeasuring, member_row_.data());
  out.clear();
  for (const std::uint32_t slot : functions_[r].members)
    out.push_back(static_cast<double>(member_row_[slot]));
  return engine_.Self(inputs, i, Purpose::kMeasuring);
}

template <class T>
std::vector<std::size_t> FunctionSet<T>::UsedSlots() const {
  std::vector<std::size_t> used;
  for (std::size_t slot = 0; slot < examples_.size(); ++slot)
    if (holders_[slot] > 0) used.push_back(slot);
  return used;
}

template <class T>
void FunctionSet<T>::OnRowsAppended() {
  std::fill(examples_.begin(), examples_.end(), kNoExample);
}

template <class T>
void FunctionSet<T>::Serialize(Archive& archive) {
  engine_.Serialize(archive, blocks_);
  if (recent_) recent_->Serialize(archive);
  std::uint64_t slots = examples_.size();
  archive.Field("slots", slots);
  if (archive.reading()) {
    if (slots > blocks_.slots()) Archive::Fail("slots", "does not fit the support set");
    examples_.assign(slots, kNoExample);
    holders_.assign(slots, 0);
    Reserve(blocks_.slots());
  }
  for (std::size_t r = 0; r < functions_.size(); ++r) {
    archive.Field("members", functions_[r].members);
    archive.Field("scale", functions_[r].scale);
    archive.Values("alpha", Column(r), slots);
    if (!archive.reading()) continue;
    for (const std::uint32_t slot : functions_[r].members) {
      if (slot >= slots || !blocks_.in_use(slot)) Archive::Fail("members", "does not fit the support set");
      ++holders_[slot];
    }
  }
  if (!archive.reading()) return;
  free_ = {};
  for (std::size_t slot = 0; slot < slots; ++slot) {
    if ((holders_[slot] > 0) != blocks_.in_use(slot))
      Archive::Fail("members", "does not fit the support set");
    if (holders_[slot] == 0) free_.push(slot);
  }
  pending_ = kNoExample;
  pending_slot_ = kNoSlot;
}

template class FunctionSet<float>;
template class FunctionSet<double>;

}  // namespace okbench
