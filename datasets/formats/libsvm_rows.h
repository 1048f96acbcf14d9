#pragma once
// Rows of LIBSVM text: `label index:value ...` with increasing indices from 1 to the number of features.

#include "datasets/formats/format.h"
#include "datasets/formats/text_lines.h"

namespace okbench::formats {

/// Sparse rows of all files, in order. `label(line, rows)` reads the label of a line and adds it to the rows.
/// Throws DataError with file, line and column.
template <class T, class LabelReader>
RawRows<T> ReadLibsvmRows(const FormatInput& input, const LabelReader& label) {
  RawRows<T> rows;
  rows.features = input.features;
  rows.offsets.push_back(0);
  const auto add = [&](LineReader& line) {
    label(line, rows);
    std::uint32_t last = 0;
    for (line.SkipBlanks(); !line.AtEnd(); line.SkipBlanks()) {
      const auto index = line.Number<std::uint32_t>(':', "a feature index");
      if (line.Peek() != ':') line.Fail("expected index:value");
      if (index < 1 || index > input.features)
        line.Fail("feature index " + std::to_string(index) + " is outside 1.." +
                  std::to_string(input.features));
      if (index <= last) line.Fail("feature indices must increase");
      last = index;
      line.Skip(1);
      const T value = line.Number<T>(' ', "a number");
      if (value == 0) continue;
      rows.indices.push_back(index - 1);
      rows.values.push_back(value);
    }
    rows.offsets.push_back(rows.values.size());
  };
  for (const FileText& file : input.files) ForEachLine(file.name, file.bytes, add);
  return rows;
}

}  // namespace okbench::formats
