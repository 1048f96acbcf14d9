#pragma once
// Prints lines and tables of text.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace okbench {

/// Prints a line to standard output, or to standard error.
void PrintLine(const std::string& line);
void PrintErrorLine(const std::string& line);

/// Prints a table with aligned columns. The first row is the header. REQUIRES: all rows have the same length.
void PrintColumns(const std::vector<std::vector<std::string>>& table);

/// Prints a table that fits into `width` characters (0: any width). First leaves out columns with one value,
/// then the columns of `expendable` in this order, then shortens the widest column. A last line names what is
/// not shown.
void PrintFitted(std::vector<std::vector<std::string>> table, std::size_t width,
                 const std::vector<std::string>& expendable);

/// Width of the terminal on standard output in characters; 0 if it is not a terminal.
std::size_t TerminalWidth();

/// Prints the given keys of a list of JSON objects as columns. The header contains the keys.
void PrintRows(const nlohmann::json& rows, const std::vector<std::string>& keys);

}  // namespace okbench
