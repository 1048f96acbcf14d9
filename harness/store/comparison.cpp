#include "harness/store/comparison.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <optional>

#include "harness/store/result_files.h"
#include "harness/store/trace_file.h"
#include "learners/core/error.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;

bool SameBits(const Column& a, const Column& b, std::size_t row) {
  if (a.values.index() != b.values.index()) return false;
  if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&a.values))
    return (*whole)[row] == std::get<std::vector<std::int64_t>>(b.values)[row];
  return std::bit_cast<std::uint64_t>(std::get<std::vector<double>>(a.values)[row]) ==
         std::bit_cast<std::uint64_t>(std::get<std::vector<double>>(b.values)[row]);
}

// Returns the first difference in row order, i.e. at the earliest step.
std::optional<Difference> CompareTables(const std::string& trial, const Table& a, const Table& b) {
  for (const Column& column : a.columns) {
    const Column* other = b.Find(column.name);
    if (column.deterministic && (other == nullptr || other->values.index() != column.values.index()))
      return Difference{trial, a.name, column.name, -1, "present", other ? "different type" : "missing"};
  }
  for (const Column& column : b.columns)
    if (column.deterministic && a.Find(column.name) == nullptr)
      return Difference{trial, a.name, column.name, -1, "missing", "present"};
  const std::size_t rows = std::min(a.rows(), b.rows());
  for (std::size_t row = 0; row < rows; ++row)
    for (const Column& column : a.columns) {
      if (!column.deterministic) continue;
      const Column& other = *b.Find(column.name);  // exists: checked above
      if (!SameBits(column, other, row))
        return Difference{
            trial, a.name, column.name, static_cast<std::int64_t>(row), column.Text(row), other.Text(row)};
    }
  if (a.rows() != b.rows())
    return Difference{trial,
                      a.name,
                      "",
                      static_cast<std::int64_t>(rows),
                      std::to_string(a.rows()) + " rows",
                      std::to_string(b.rows()) + " rows"};
  return std::nullopt;
}

// Compares spec and summary entry by entry (Trace::Facts).
std::optional<Difference> CompareFacts(const std::string& trial, const nlohmann::json& a,
                                       const nlohmann::json& b) {
  const auto text = [](const nlohmann::json& facts, const std::string& key) {
    return facts.contains(key) ? facts.at(key).dump() : "missing";
  };
  for (const auto* side : {&a, &b})
    for (const auto& [key, value] : side->items())
      if (text(a, key) != text(b, key))
        return Difference{trial, key.substr(1, key.find('/', 1) - 1), key, -1, text(a, key), text(b, key)};
  return std::nullopt;
}

std::optional<Difference> CompareFiles(const fs::path& a, const fs::path& b) {
  const Trace left = ReadTrace(a.string());
  const Trace right = ReadTrace(b.string());
  const std::string trial = a.filename().string();
  for (const Table& table : left.tables) {
    const Table* other = right.Find(table.name);
    if (other == nullptr) return Difference{trial, table.name, "", -1, "present", "missing"};
    if (auto difference = CompareTables(trial, table, *other)) return difference;
  }
  for (const Table& table : right.tables)
    if (left.Find(table.name) == nullptr) return Difference{trial, table.name, "", -1, "missing", "present"};
  return CompareFacts(trial, left.Facts(), right.Facts());
}

}  // namespace

Comparison Compare(const std::string& a, const std::string& b) {
  for (const std::string& path : {a, b})
    if (!fs::exists(path)) throw SpecError(path + ": no such file or folder");
  if (fs::is_directory(a) != fs::is_directory(b))
    throw SpecError("compare needs two trace files or two folders");
  Comparison out;
  if (!fs::is_directory(a)) {
    out.compared = 1;
    if (auto difference = CompareFiles(a, b)) out.differences.push_back(*difference);
    return out;
  }
  const auto left = TracesBelow(a), right = TracesBelow(b);
  for (const auto& [name, path] : left) {
    const auto other = right.find(name);
    if (other == right.end()) {
      out.differences.push_back({name, "", "", -1, "present", "missing"});
      continue;
    }
    ++out.compared;
    if (auto difference = CompareFiles(path, other->second)) out.differences.push_back(*difference);
  }
  for (const auto& [name, path] : right)
    if (!left.contains(name)) out.differences.push_back({name, "", "", -1, "missing", "present"});
  if (out.compared == 0 && out.differences.empty()) throw SpecError("no traces found in either folder");
  return out;
}

}  // namespace okbench
