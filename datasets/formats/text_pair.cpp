// Two text files: blank-separated features, and one label or target per line.

#include "datasets/formats/delimited.h"
#include "datasets/formats/format.h"

namespace okbench::formats::text_pair {
namespace {

template <class T>
RawRows<T> Read(const FormatInput& input) {
  RawRows<T> rows = ReadDelimited<T>(input, ' ', LabelPlace::kElsewhere);
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

}  // namespace

Format Describe() {
  return {.name = "text-pair",
          .title = "blank-separated text, labels or targets in a second file",
          .files = 2,
          .needs = "a file of features and a file of targets",
          .shared_files = true,
          .read_float = Read<float>,
          .read_double = Read<double>};
}

}  // namespace okbench::formats::text_pair
