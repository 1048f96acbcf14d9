// What of an engine and its support sets is kept in a learner's state.

#include <algorithm>
#include <utility>

#include "learners/kernels/engine.h"

namespace okbench {

template <class T>
void KernelEngine<T>::Keep(State& state) {
  KernelCounts& counts = ledger_.counts_;
  state.Field("requested", counts.requested);
  state.Field("computed", counts.computed);
  state.Field("evaluation", counts.evaluation);
  state.Field("terms", counts.terms);
}

template <class T>
void KernelEngine<T>::Keep(State& state, SupportBlocks<T>& set) {
  std::vector<std::size_t> used;
  for (std::size_t slot = 0; slot < set.slots(); ++slot)
    if (set.in_use(slot)) used.push_back(slot);
  bool sparse = set.packing() == Packing::kInverted;
  std::vector<std::size_t> offsets;
  std::vector<std::uint32_t> indices;
  std::vector<T> values;
  if (!state.reading()) {
    const Examples<T> rows = set.Rows(used);
    offsets.push_back(0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const RowView<T> row = rows.row(i);
      values.insert(values.end(), row.values, row.values + row.count);
      if (sparse) indices.insert(indices.end(), row.indices, row.indices + row.count);
      offsets.push_back(values.size());
    }
  }
  std::size_t slots = set.slots();
  state.Field("sparse", sparse);
  state.Field("slots", slots);
  state.Field("used", used);
  if (sparse) {
    state.Field("offsets", offsets);
    state.Field("indices", indices);
  }
  state.Field("values", values);
  if (!state.reading()) return;
  const std::size_t features = set.features(), most = sparse ? 0 : values.size() / std::max<std::size_t>(1, features);
  if (slots % SupportBlocks<T>::kBlock != 0 || used.size() > slots || (!sparse && most != used.size()))
    State::Fail("used", "does not fit the rows");
  // A row of zeros makes the set as long as it was.
  if (sparse)
    offsets.push_back(offsets.empty() ? 0 : offsets.back());
  else
    values.resize(values.size() + features, T(0));
  const Examples<T> rows = Examples<T>::Unlabelled(used.size() + 1, features, std::move(values),
                                                   sparse ? std::move(offsets) : std::vector<std::size_t>(),
                                                   std::move(indices));
  const Inputs<T> inputs = Prepare(static_cast<const RowSource<T>&>(rows));
  SupportBlocks<T> read(features, sparse ? Packing::kInverted : Packing::kDense, terms_.size());
  if (slots > 0) {
    read.Put(slots - 1, inputs, used.size());
    read.Remove(slots - 1);
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i] >= slots) State::Fail("used", "names a slot that there is not");
    read.Put(used[i], inputs, i);
  }
  set = std::move(read);
}

template void KernelEngine<float>::Keep(State&);
template void KernelEngine<double>::Keep(State&);
template void KernelEngine<float>::Keep(State&, SupportBlocks<float>&);
template void KernelEngine<double>::Keep(State&, SupportBlocks<double>&);

}  // namespace okbench
