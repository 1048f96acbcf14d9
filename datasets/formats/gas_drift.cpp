// The gas sensor array drift data of UCI: one file per batch, `label;concentration index:value ...`.

#include "datasets/formats/format.h"
#include "datasets/formats/libsvm_rows.h"

namespace okbench::formats::gas_drift {
namespace {

template <class T>
RawRows<T> Read(const FormatInput& input) {
  return ReadLibsvmRows<T>(input, [&](LineReader& line, RawRows<T>& rows) {
    line.Target(';', input.labels, rows);
    line.Until(' ');  // the concentration
  });
}

}  // namespace

Format Describe() {
  return {.name = "gas-drift",
          .title = "LIBSVM text with a concentration after the label, one file per batch",
          .files = 8,
          .needs = "eight files of batches",
          .read_float = Read<float>,
          .read_double = Read<double>};
}

}  // namespace okbench::formats::gas_drift
