#include "datasets/rows/delays.h"

#include "base/error.h"
#include "datasets/formats/text_lines.h"

namespace okbench {

std::vector<std::uint64_t> LoadDelays(const DataSet& set, const std::string& part,
                                      const DataFolders& folders) {
  const DataPart& rows = set.parts.at(part);
  if (!rows.delays) throw DataError("data set '" + set.name + "' has no delays of its labels");
  const auto location = Locate(*rows.delays, folders);
  if (!location) throw DataError(rows.delays->name, 0, 0, "not found in " + folders.Names());
  std::vector<std::uint64_t> delays;
  formats::ForEachLine(location->path, ReadVerified(*location), [&](formats::LineReader& line) {
    delays.push_back(line.Number<std::uint32_t>(' ', "a number of steps"));
    line.SkipBlanks();
    if (!line.AtEnd()) line.Fail("the line has more than one field");
  });
  if (delays.size() != rows.rows)
    throw DataError(location->path, 0, 0,
                    "has " + std::to_string(delays.size()) + " lines, expected " + std::to_string(rows.rows));
  return delays;
}

}  // namespace okbench
