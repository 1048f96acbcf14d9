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

/// Prints the given keys of a list of JSON objects as columns. The header contains the keys.
void PrintRows(const nlohmann::json& rows, const std::vector<std::string>& keys);

}  // namespace okbench
