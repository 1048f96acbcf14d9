// LIBSVM text: `label index:value ...` with increasing indices from 1 to the number of features.

#include "datasets/formats/format.h"
#include "datasets/formats/libsvm_rows.h"

namespace okbench::formats::libsvm {
namespace {

template <class T>
RawRows<T> Read(const FormatInput& input) {
  return ReadLibsvmRows<T>(input,
                           [&](LineReader& line, RawRows<T>& rows) { line.Target(' ', input.labels, rows); });
}

}  // namespace

Format Describe() {
  return {.name = "libsvm",
          .title = "LIBSVM text: label index:value ..., sparse",
          .read_float = Read<float>,
          .read_double = Read<double>};
}

}  // namespace okbench::formats::libsvm
