#pragma once
// Delimited text: a row a line, the label first, then every feature.

#include "datasets/formats/format.h"
#include "datasets/formats/text_lines.h"

namespace okbench::formats {

/// Rows whose fields are separated by `separator` (' ' takes runs of blanks).
template <class T>
RawRows<T> ReadDelimited(const FileText& file, char separator, std::size_t features, const LabelMap& labels) {
  RawRows<T> rows;
  rows.features = features;
  ForEachLine(file.name, file.bytes, [&](LineReader& line) {
    line.Target(separator, labels, rows);
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
