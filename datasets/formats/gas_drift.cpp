// The gas sensor array drift data of UCI: one file per batch, `label;concentration index:value ...`.

#include "datasets/formats/format.h"
#include "datasets/formats/libsvm_rows.h"

namespace okbench::formats::gas_drift {
namespace {

template <class T>
RawRows<T> Read(const FormatInput& input) {
  RawRows<T> rows;
  rows.features = input.features;
  rows.offsets.push_back(0);
  const auto label = [&](LineReader& line) {
    line.Target(';', input.labels, rows);
    line.Until(' ');  // the concentration
  };
  for (const FileText& file : input.files) AddLibsvmRows(input, file, label, rows);
  return rows;
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
