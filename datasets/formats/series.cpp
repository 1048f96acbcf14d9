// Time series in text: one step a line, one or several inputs separated by blanks.

#include "datasets/series.h"

#include "datasets/formats/format.h"
#include "datasets/formats/text_lines.h"

namespace okbench::formats::series {
namespace {

// The number of inputs is that of the first line. The features are divided evenly among the inputs.
template <class T>
RawRows<T> Read(const FormatInput& input) {
  const FileText& file = input.files[0];
  if (input.labels.classes() > 0) throw DataError(file.name, 0, 0, "a series has real targets, not classes");
  std::vector<double> values;
  std::size_t inputs = 0, steps = 0;
  ForEachLine(file.name, file.bytes, [&](LineReader& line) {
    std::size_t fields = 0;
    for (; !line.AtEnd(); line.SkipBlanks(), ++fields)
      values.push_back(line.template Number<double>(' ', "a number"));
    if (steps++ == 0) inputs = fields;
    if (fields != inputs)
      line.Fail("the line has " + std::to_string(fields) + " values, the first line has " +
                std::to_string(inputs));
  });
  if (input.features % inputs != 0)
    throw DataError(file.name, 0, 0,
                    std::to_string(input.features) + " features cannot be divided among " +
                        std::to_string(inputs) + " inputs");
  if (steps < 2) throw DataError(file.name, 0, 0, "a series needs at least two steps");
  return Embed<T>(values, inputs, input.features, 0, steps - 1);
}

}  // namespace

Format Describe() {
  return {.name = "series",
          .title = "time series, one step a line: rows of the last values, the next value is the target",
          .shared_files = true,
          .read_float = Read<float>,
          .read_double = Read<double>};
}

}  // namespace okbench::formats::series
