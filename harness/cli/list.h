#pragma once
// What `okbench list` shows, for `okbench help`.

#include <nlohmann/json.hpp>
#include <string>

namespace okbench {

/// The rows of `okbench list WHAT`.
nlohmann::json RowsOf(const std::string& what);
/// The key of their names.
std::string NameKey(const std::string& what);
/// Prints such rows as text. `name`: of a single learner, or empty.
void PrintText(const std::string& what, const std::string& name, const nlohmann::json& rows);

}  // namespace okbench
