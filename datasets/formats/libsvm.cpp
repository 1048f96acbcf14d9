// LIBSVM text: `label index:value ...` with increasing indices from 1 to the number of features.

#include "datasets/formats/format.h"
#include "datasets/formats/text_lines.h"

namespace okbench::formats::libsvm {
namespace {

template <class T>
RawRows<T> Read(const FormatInput& input) {
  const std::size_t features = input.features;
  RawRows<T> rows;
  rows.features = features;
  rows.offsets.push_back(0);
  ForEachLine(input.files[0].name, input.files[0].bytes, [&](LineReader& line) {
    line.Target(' ', input.labels, rows);
    std::uint32_t last = 0;
    for (line.SkipBlanks(); !line.AtEnd(); line.SkipBlanks()) {
      const auto index = line.Number<std::uint32_t>(':', "a feature index");
      if (line.Peek() != ':') line.Fail("expected index:value");
      if (index < 1 || index > features)
        line.Fail("feature index " + std::to_string(index) + " is outside 1.." + std::to_string(features));
      if (index <= last) line.Fail("feature indices must increase");
      last = index;
      line.Skip(1);
      const T value = line.Number<T>(' ', "a number");
      if (value == 0) continue;
      rows.indices.push_back(index - 1);
      rows.values.push_back(value);
    }
    rows.offsets.push_back(rows.values.size());
  });
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
