#pragma once
// Lines and tables of text.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace okbench {

/// Prints a line on standard output, or on standard error.
void PrintLine(const std::string& line);
void PrintErrorLine(const std::string& line);

/// Prints rows of cells with their columns aligned; the first row is the head.
void PrintColumns(const std::vector<std::vector<std::string>>& table);

/// Prints these keys of a list of JSON objects as columns, with their names as the head.
void PrintRows(const nlohmann::json& rows, const std::vector<std::string>& keys);

}  // namespace okbench
