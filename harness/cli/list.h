#pragma once
// The lists of `okbench help`: learners, losses, kernels, data sets, ...

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace okbench {

/// The names of the lists.
const std::vector<std::string>& ListNames();
/// The rows of a list.
nlohmann::json RowsOf(const std::string& what);
/// The key of their names.
std::string NameKey(const std::string& what);
/// Prints such rows as text. `name`: of a single learner, or empty.
void PrintText(const std::string& what, const std::string& name, const nlohmann::json& rows);
/// Prints a list, or the item `name` of it. Throws SpecError for an unknown name.
void ShowList(const std::string& what, const std::string& name, bool as_json);

}  // namespace okbench
