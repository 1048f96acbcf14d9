#include "harness/cli/printing.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

namespace {

using Cells = std::vector<std::vector<std::string>>;
constexpr std::size_t kShortest = 12;  // characters that a shortened column keeps

std::size_t WidthOf(const Cells& table, std::size_t column) {
  std::size_t width = 0;
  for (const auto& line : table) width = std::max(width, line[column].size());
  return width;
}

std::size_t WidthOf(const Cells& table) {
  std::size_t width = 0;
  for (std::size_t column = 0; column < table[0].size(); ++column) width += WidthOf(table, column) + 2;
  return width - 2;
}

void Erase(Cells& table, std::size_t column) {
  for (auto& line : table) line.erase(line.begin() + static_cast<std::ptrdiff_t>(column));
}

bool IsConstant(const Cells& table, std::size_t column) {
  return std::all_of(table.begin() + 1, table.end(),
                     [&](const auto& line) { return line[column] == table[1][column]; });
}

}  // namespace

void PrintFitted(Cells table, std::size_t width, const std::vector<std::string>& expendable) {
  std::vector<std::string> same, hidden;
  const auto too_wide = [&] { return width > 0 && WidthOf(table) > width; };
  for (std::size_t column = table[0].size(); too_wide() && table.size() > 2 && column-- > 0;)
    if (IsConstant(table, column)) {
      same.insert(same.begin(), table[0][column] + " " + table[1][column]);
      Erase(table, column);
    }
  for (const std::string& name : expendable) {
    const auto place = std::find(table[0].begin(), table[0].end(), name);
    if (!too_wide() || place == table[0].end()) continue;
    hidden.push_back(name);
    Erase(table, static_cast<std::size_t>(place - table[0].begin()));
  }
  while (too_wide()) {
    std::size_t widest = 0;
    for (std::size_t column = 1; column < table[0].size(); ++column)
      if (WidthOf(table, column) > WidthOf(table, widest)) widest = column;
    const std::size_t now = WidthOf(table, widest);
    if (now <= kShortest) break;
    const std::size_t kept = std::max(kShortest, now - std::min(now, WidthOf(table) - width));
    for (auto& line : table)
      if (std::string& cell = line[widest]; cell.size() > kept) cell = cell.substr(0, kept - 3) + "...";
  }
  PrintColumns(table);
  if (!same.empty()) fmt::print("in all rows: {}\n", fmt::join(same, ", "));
  if (!hidden.empty()) fmt::print("not shown: {}; --width 0 shows all\n", fmt::join(hidden, ", "));
}

std::size_t TerminalWidth() {
  winsize size{};
  return isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
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
