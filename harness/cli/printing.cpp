#include "harness/cli/printing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "harness/system/standard_streams.h"

namespace okbench {
namespace {

std::string Plain(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

void PrintLine(const std::string& line) { fmt::print("{}\n", line); }

void PrintErrorLine(const std::string& line) { PrintToError("{}\n", line); }

void PrintColumns(const std::vector<std::vector<std::string>>& table) {
  std::vector<std::size_t> widths(table[0].size(), 0);
  for (const auto& line : table)
    for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], line[c].size());
  for (const auto& line : table) {
    std::string text;
    for (std::size_t c = 0; c < line.size(); ++c) text += fmt::format("{:<{}}  ", line[c], widths[c]);
    text.erase(text.find_last_not_of(' ') + 1);
    fmt::print("{}\n", text);
  }
}

void PrintRows(const nlohmann::json& rows, const std::vector<std::string>& keys) {
  std::vector<std::vector<std::string>> table = {keys};
  for (const nlohmann::json& row : rows) {
    table.emplace_back();
    for (const std::string& key : keys) table.back().push_back(Plain(row[key]));
  }
  PrintColumns(table);
}

}  // namespace okbench
