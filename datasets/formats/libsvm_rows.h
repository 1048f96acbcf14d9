#pragma once
// Rows of LIBSVM text: `label index:value ...` with increasing indices from 1 to the number of features.

#include "datasets/formats/format.h"
#include "datasets/formats/text_lines.h"

namespace okbench::formats {

/// Adds the rows of a file to sparse rows. `label(line)` reads the label. Throws DataError with file, line
/// and column.
template <class T, class LabelReader>
void AddLibsvmRows(const FormatInput& input, const FileText& file, const LabelReader& label,
                   RawRows<T>& rows) {
  const std::size_t features = input.features;
  ForEachLine(file.name, file.bytes, [&](LineReader& line) {
    label(line);
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
}

}  // namespace okbench::formats
