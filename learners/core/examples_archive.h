#pragma once
// Serialization of rows in the state of a learner.

#include <utility>
#include <vector>

#include "learners/core/archive.h"
#include "learners/core/examples.h"

namespace okbench {

/// Writes the features of `rows`, or reads rows without labels and returns them, with the added features of
/// the archive. Throws InvalidArgument if the stored data is not a valid set of rows with `all_features`
/// features.
template <class T>
Examples<T> SerializeRows(Archive& archive, Examples<T> rows, std::size_t all_features) {
  const AddedFeatures added = archive.added();
  const std::size_t features = all_features - added.count;
  bool sparse = rows.sparse();
  std::size_t count = rows.size();
  std::vector<std::size_t> offsets;
  std::vector<std::uint32_t> indices;
  std::vector<T> values;
  if (!archive.reading()) {
    offsets.push_back(0);
    for (std::size_t i = 0; i < count; ++i) {
      const RowView<T> row = rows.row(i);
      values.insert(values.end(), row.values, row.values + row.count);
      if (sparse) indices.insert(indices.end(), row.indices, row.indices + row.count);
      offsets.push_back(values.size());
    }
  }
  archive.Field("sparse", sparse);
  archive.Field("rows", count);
  if (sparse) {
    archive.Field("offsets", offsets);
    archive.Field("indices", indices);
  }
  archive.Field("values", values);
  auto integer_rows = SerializeIntegers(archive, rows.shared_integers(), count, features);
  if (!archive.reading()) return rows;
  if (sparse && offsets.size() != count + 1) Archive::Fail("offsets", "does not fit the rows");
  // Checked before any allocation that depends on `count`.
  if (!sparse &&
      (features == 0 ? count > 0 : values.size() / features != count || values.size() % features > 0))
    Archive::Fail("values", "does not fit the rows");
  if (!sparse) offsets.clear();
  auto read =
      Examples<T>::Unlabelled(count, features, std::move(values), std::move(offsets), std::move(indices))
          .WithIntegers(std::move(integer_rows));
  return added.count > 0 ? read.WithFeatures(added) : read;
}

}  // namespace okbench
