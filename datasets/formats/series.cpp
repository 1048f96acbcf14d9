// Time series in text: one step a line, one or several inputs separated by blanks.

#include "datasets/rows/series.h"

#include "datasets/formats/format.h"
#include "datasets/formats/text_lines.h"

namespace okbench::formats::series {
namespace {

template <class T>
RawRows<T> Read(const FormatInput& input) {
  const FileText& file = input.files[0];
  if (input.labels.classes() > 0) throw DataError(file.name, 0, 0, "a series has real targets, not classes");
  std::vector<double> values;
  std::size_t steps = 0, last = 0;  // line of the last step
  ForEachLine(file.name, file.bytes, [&](LineReader& line) {
    if (steps > 0 && line.number() != last + 1)
      throw DataError(file.name, last + 1, 0, "the line is blank, but a series has no gaps");
    last = line.number();
    std::size_t fields = 0;
    for (; !line.AtEnd(); line.SkipBlanks(), ++fields)
      values.push_back(line.template Number<double>(' ', "a number"));
    ++steps;
    if (fields != input.inputs)
      line.Fail("the line has " + std::to_string(fields) +
                " values, the catalog says inputs = " + std::to_string(input.inputs));
  });
  if (steps <= input.horizon)
    throw DataError(file.name, 0, 0,
                    "a series needs more steps than its horizon, " + std::to_string(input.horizon));
  return Embed<T>(values, input.inputs, input.features, input.horizon, 0, steps - input.horizon);
}

}  // namespace

Format Describe() {
  return {.name = "series",
          .title = "time series, one step a line: rows of the last values, a coming value is the target",
          .shared_files = true,
          .read_float = Read<float>,
          .read_double = Read<double>};
}

}  // namespace okbench::formats::series
