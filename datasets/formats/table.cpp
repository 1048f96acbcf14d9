// Delimited text of which some columns are read, each mapped from its range to [0, 1].

#include "datasets/formats/format.h"
#include "datasets/formats/text_lines.h"

namespace okbench::formats::table {
namespace {

constexpr std::size_t kLeftOut = static_cast<std::size_t>(-1);

template <class T>
RawRows<T> Read(const FormatInput& input) {
  const TableSpec& spec = *input.table;
  // Feature of each column of the file.
  std::vector<std::size_t> features(spec.fields(), kLeftOut);
  for (std::size_t f = 0; f < spec.columns.size(); ++f) features[spec.columns[f].column] = f;
  RawRows<T> rows;
  rows.features = spec.columns.size();
  std::vector<double> x(rows.features);
  bool header = spec.header;
  ForEachLine(input.files[0].name, input.files[0].bytes, [&](LineReader& line) {
    if (header) {
      header = false;
      return;
    }
    for (std::size_t c = 0; c < features.size(); ++c) {
      if (c > 0 && spec.separator != ' ') {
        if (line.Peek() != spec.separator) line.Fail("column " + std::to_string(c) + " is missing");
        line.Skip(1);
      }
      line.SkipBlanks();
      const bool target = c == spec.target.column;
      if (!target && features[c] == kLeftOut) {
        line.Until(spec.separator);
        continue;
      }
      const double value = line.template Number<double>(spec.separator, "a number");
      if (target)
        rows.real.targets.push_back(spec.target.Mapped(value));
      else
        x[features[c]] = spec.columns[features[c]].Mapped(value);
      line.SkipBlanks();
    }
    for (const double value : x) rows.values.push_back(static_cast<T>(value));
    rows.labels.push_back(0);
  });
  if (rows.labels.empty()) throw DataError(input.files[0].name, 0, 0, "the data set is empty");
  return rows;
}

}  // namespace

Format Describe() {
  return {.name = "table",
          .title = "delimited text with a target: some columns, each mapped from its range to [0, 1]",
          .shared_files = true,
          .read_float = Read<float>,
          .read_double = Read<double>};
}

}  // namespace okbench::formats::table
