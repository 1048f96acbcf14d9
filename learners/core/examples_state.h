#pragma once
// Rows in a learner's state.

#include <utility>
#include <vector>

#include "learners/core/examples.h"
#include "learners/core/state.h"

namespace okbench {

/// Writes the features of these rows, or reads such rows, without labels. Throws InvalidArgument for what
/// cannot be rows of `features` features.
template <class T>
Examples<T> KeepRows(State& state, Examples<T> rows, std::size_t features) {
  bool sparse = rows.sparse();
  std::size_t count = rows.size();
  std::vector<std::size_t> offsets;
  std::vector<std::uint32_t> indices;
  std::vector<T> values;
  if (!state.reading()) {
    offsets.push_back(0);
    for (std::size_t i = 0; i < count; ++i) {
      const RowView<T> row = rows.row(i);
      values.insert(values.end(), row.values, row.values + row.count);
      if (sparse) indices.insert(indices.end(), row.indices, row.indices + row.count);
      offsets.push_back(values.size());
    }
  }
  state.Field("sparse", sparse);
  state.Field("rows", count);
  if (sparse) {
    state.Field("offsets", offsets);
    state.Field("indices", indices);
  }
  state.Field("values", values);
  auto whole = KeepWhole(state, rows.shared_whole(), count, features);
  if (!state.reading()) return rows;
  if (sparse && offsets.size() != count + 1) State::Fail("offsets", "does not fit the rows");
  // Before anything is made of that many rows.
  if (!sparse &&
      (features == 0 ? count > 0 : values.size() / features != count || values.size() % features > 0))
    State::Fail("values", "does not fit the rows");
  if (!sparse) offsets.clear();
  return Examples<T>::Unlabelled(count, features, std::move(values), std::move(offsets), std::move(indices))
      .WithWhole(std::move(whole));
}

}  // namespace okbench
