// Serialization of a kernel engine and its support sets.

#include <memory>
#include <utility>

#include "learners/core/examples_archive.h"
#include "learners/kernels/engine.h"

namespace okbench {

void SerializeCounts(Archive& archive, KernelCounts& counts) {
  archive.Field("requested", counts.requested);
  archive.Field("computed", counts.computed);
  archive.Field("evaluation", counts.evaluation);
  archive.Field("terms", counts.terms);
  archive.Field("features", counts.features);
  archive.Field("measured_features", counts.measured_features);
}

template <class T>
void KernelEngine<T>::Serialize(Archive& archive) {
  SerializeCounts(archive, counter_.mutable_counts());
}

template <class T>
void KernelEngine<T>::Serialize(Archive& archive, SupportBlocks<T>& set) {
  const std::size_t features = set.features();
  std::vector<std::size_t> used;
  for (std::size_t slot = 0; slot < set.slots(); ++slot)
    if (set.in_use(slot)) used.push_back(slot);
  const Examples<T> present = set.Rows(used);
  std::size_t slots = set.slots();
  archive.Field("slots", slots);
  archive.Field("used", used);
  const Examples<T> rows = SerializeRows(archive, present, features);
  if (!archive.reading()) return;
  // Limits the allocation for corrupt archives: a valid one has at least one byte per slot, except in the
  // last block.
  if (slots > archive.bytes().size() + SupportBlocks<T>::kBlock)
    Archive::Fail("slots", "exceeds the size of the archive");
  if (slots % SupportBlocks<T>::kBlock != 0 || used.size() != rows.size() || used.size() > slots)
    Archive::Fail("used", "does not fit the rows");
  SupportBlocks<T> read =
      AsIntegers(rows)
          ? MakeBlocks(rows)
          : SupportBlocks<T>(features, rows.sparse() ? Packing::kInverted : Packing::kDense, terms_.size());
  const auto put = [&](std::size_t slot, const Inputs<T>& inputs, std::size_t i) {
    if (slot >= slots) Archive::Fail("used", "has a slot out of range");
    read.Put(slot, inputs, i);
  };
  // Restores the number of slots by putting a row into the last slot and removing it.
  if (slots > 0) {
    Examples<T> zeros = rows.sparse()
                            ? Examples<T>::Unlabelled(1, features, {}, std::vector<std::size_t>{0, 0}, {})
                            : Examples<T>::Unlabelled(1, features, std::vector<T>(features));
    if (rows.integers()) {
      auto integer_rows = std::make_shared<IntegerRows>(rows.integers()->scale(), features);
      integer_rows->Add(std::vector<std::int32_t>(features, integer_rows->scale().low));
      zeros = zeros.WithIntegers(std::move(integer_rows));
    }
    put(slots - 1, Prepare(static_cast<const RowSource<T>&>(zeros)), 0);
    read.Remove(slots - 1);
  }
  const Inputs<T> inputs = Prepare(static_cast<const RowSource<T>&>(rows));
  for (std::size_t i = 0; i < used.size(); ++i) put(used[i], inputs, i);
  set = std::move(read);
}

template void KernelEngine<float>::Serialize(Archive&);
template void KernelEngine<double>::Serialize(Archive&);
template void KernelEngine<float>::Serialize(Archive&, SupportBlocks<float>&);
template void KernelEngine<double>::Serialize(Archive&, SupportBlocks<double>&);

}  // namespace okbench
