// What of an engine and its support sets is kept in a learner's state.

#include <memory>
#include <utility>

#include "learners/core/examples_state.h"
#include "learners/kernels/engine.h"

namespace okbench {

void KeepCounts(State& state, KernelCounts& counts) {
  state.Field("requested", counts.requested);
  state.Field("computed", counts.computed);
  state.Field("evaluation", counts.evaluation);
  state.Field("terms", counts.terms);
  state.Field("features", counts.features);
  state.Field("measured_features", counts.measured_features);
}

template <class T>
void KernelEngine<T>::Keep(State& state) {
  KeepCounts(state, ledger_.counts_);
}

template <class T>
void KernelEngine<T>::Keep(State& state, SupportBlocks<T>& set) {
  const std::size_t features = set.features();
  std::vector<std::size_t> used;
  for (std::size_t slot = 0; slot < set.slots(); ++slot)
    if (set.in_use(slot)) used.push_back(slot);
  const Examples<T> present = set.Rows(used);
  std::size_t slots = set.slots();
  state.Field("slots", slots);
  state.Field("used", used);
  const Examples<T> rows = KeepRows(state, present, features);
  if (!state.reading()) return;
  // Whoever has slots keeps a number of each, blocks aside that are not full.
  if (slots > state.bytes().size() + SupportBlocks<T>::kBlock)
    State::Fail("slots", "are more than there is of them");
  if (slots % SupportBlocks<T>::kBlock != 0 || used.size() != rows.size() || used.size() > slots)
    State::Fail("used", "does not fit the rows");
  SupportBlocks<T> read =
      AsWhole(rows)
          ? MakeBlocks(rows)
          : SupportBlocks<T>(features, rows.sparse() ? Packing::kInverted : Packing::kDense, terms_.size());
  const auto put = [&](std::size_t slot, const Inputs<T>& inputs, std::size_t i) {
    if (slot >= slots) State::Fail("used", "names a slot that there is not");
    read.Put(slot, inputs, i);
  };
  // The set becomes as long as it was.
  if (slots > 0) {
    Examples<T> zeros = rows.sparse()
                            ? Examples<T>::Unlabelled(1, features, {}, std::vector<std::size_t>{0, 0}, {})
                            : Examples<T>::Unlabelled(1, features, std::vector<T>(features));
    if (rows.whole()) {
      auto whole = std::make_shared<WholeRows>(rows.whole()->scale(), features);
      whole->Add(std::vector<std::int32_t>(features, whole->scale().low));
      zeros = zeros.WithWhole(std::move(whole));
    }
    put(slots - 1, Prepare(static_cast<const RowSource<T>&>(zeros)), 0);
    read.Remove(slots - 1);
  }
  const Inputs<T> inputs = Prepare(static_cast<const RowSource<T>&>(rows));
  for (std::size_t i = 0; i < used.size(); ++i) put(used[i], inputs, i);
  set = std::move(read);
}

template void KernelEngine<float>::Keep(State&);
template void KernelEngine<double>::Keep(State&);
template void KernelEngine<float>::Keep(State&, SupportBlocks<float>&);
template void KernelEngine<double>::Keep(State&, SupportBlocks<double>&);

}  // namespace okbench
