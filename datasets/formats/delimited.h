#pragma once
// Delimited text: one row per line, the label first, then all features.

#include "datasets/formats/format.h"
#include "datasets/formats/text_lines.h"

namespace okbench::formats {

/// Reads the rows of input.files[0]. Fields are separated by `separator`; ' ' stands for any run of blanks.
/// Throws DataError with file, line and column.
template <class T>
RawRows<T> ReadDelimited(const FormatInput& input, char separator) {
  const std::size_t features = input.features;
  RawRows<T> rows;
  rows.features = features;
  ForEachLine(input.files[0].name, input.files[0].bytes, [&](LineReader& line) {
    line.Target(separator, input.labels, rows);
    std::size_t count = 0;
    for (;;) {
      line.SkipBlanks();
      if (line.AtEnd()) break;
      if (separator != ' ') {
        if (line.Peek() != separator) line.Fail(std::string("expected '") + separator + "'");
        line.Skip(1);
        line.SkipBlanks();
      }
      const T value = line.Number<T>(separator, "a number");
      if (++count > features) line.Fail("the row has more than " + std::to_string(features) + " features");
      rows.values.push_back(value);
    }
    if (count < features)
      line.Fail("the row has " + std::to_string(count) + " features, expected " + std::to_string(features));
  });
  return rows;
}

}  // namespace okbench::formats
