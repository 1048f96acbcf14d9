#pragma once
// Delimited text: one row per line, with all features and possibly the label.

#include "datasets/formats/format.h"
#include "datasets/formats/text_lines.h"

namespace okbench::formats {

/// Where the label of a row is.
enum class LabelPlace { kFirst, kLast, kElsewhere };

/// No line belongs to a header.
struct NoHeader {
  bool operator()(LineReader& /*line*/) const { return false; }
};

/// Reads the rows of input.files[0]. Fields are separated by `separator`; ' ' stands for any run of blanks.
/// With kLast, skips a line that starts with the number of rows and the number of features. With kElsewhere,
/// adds no labels. Skips each line for which `header(line)` is true. Throws DataError with file, line and
/// column.
template <class T, class Header = NoHeader>
RawRows<T> ReadDelimited(const FormatInput& input, char separator, LabelPlace place = LabelPlace::kFirst,
                         Header header = {}) {
  const std::size_t features = input.features;
  RawRows<T> rows;
  rows.features = features;
  ForEachLine(input.files[0].name, input.files[0].bytes, [&](LineReader& line) {
    if (header(line)) return;
    if (place == LabelPlace::kLast && line.CountsRows(separator, features)) return;
    bool labelled = place != LabelPlace::kLast;
    if (place == LabelPlace::kFirst) line.Target(separator, input.labels, rows);
    std::size_t count = 0;
    for (;;) {
      line.SkipBlanks();
      if (line.AtEnd()) break;
      if (separator != ' ' && (count > 0 || place == LabelPlace::kFirst)) {
        if (line.Peek() != separator) line.Fail(std::string("expected '") + separator + "'");
        line.Skip(1);
        line.SkipBlanks();
      }
      if (!labelled && count == features) {
        line.Target(separator, input.labels, rows);
        labelled = true;
        continue;
      }
      const T value = line.Number<T>(separator, "a number");
      if (++count > features) line.Fail("the row has more than " + std::to_string(features) + " features");
      rows.values.push_back(value);
    }
    if (count < features)
      line.Fail("the row has " + std::to_string(count) + " features, expected " + std::to_string(features));
    if (!labelled) line.Fail("the row has no label");
  });
  return rows;
}

/// Reads features from input.files[0], and one label or target per line from input.files[1]. Throws as
/// ReadDelimited(), and if the numbers of lines differ.
template <class T>
RawRows<T> ReadPair(const FormatInput& input, char separator) {
  RawRows<T> rows = ReadDelimited<T>(input, separator, LabelPlace::kElsewhere);
  const FileText& targets = input.files[1];
  ForEachLine(targets.name, targets.bytes, [&](LineReader& line) {
    line.Target(' ', input.labels, rows);
    line.SkipBlanks();
    if (!line.AtEnd()) line.Fail("the line has more than one field");
  });
  const std::size_t count = rows.values.size() / rows.features;
  if (rows.labels.size() != count)
    throw DataError(targets.name, 0, 0,
                    "has " + std::to_string(rows.labels.size()) + " lines, expected " +
                        std::to_string(count) + ", the number of rows of " + input.files[0].name);
  return rows;
}

}  // namespace okbench::formats
