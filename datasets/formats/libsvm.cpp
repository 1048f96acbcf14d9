// LIBSVM text: `label index:value ...` with increasing indices from 1 to the number of features.

#include "datasets/formats/format.h"
#include "datasets/formats/libsvm_rows.h"

namespace okbench::formats::libsvm {
namespace {

template <class T>
RawRows<T> Read(const FormatInput& input) {
  RawRows<T> rows;
  rows.features = input.features;
  rows.offsets.push_back(0);
  AddLibsvmRows(
      input, input.files[0], [&](LineReader& line) { line.Target(' ', input.labels, rows); }, rows);
  return rows;
}

}  // namespace

Format Describe() {
  return {.name = "libsvm",
          .title = "LIBSVM text: label index:value ..., sparse",
          .read_float = Read<float>,
          .read_double = Read<double>};
}

}  // namespace okbench::formats::libsvm
