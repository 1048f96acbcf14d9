#include "harness/store/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "harness/store/trace_file.h"
#include "harness/system/error.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

bool IsFailureRecord(const fs::path& path) { return path.filename().string().ends_with(".failed.json"); }
bool IsTrace(const fs::path& path) { return path.extension() == ".h5"; }

json ReadJson(const fs::path& path) {
  std::ifstream file(path);
  try {
    return json::parse(file);
  } catch (const json::exception&) {
    throw TraceError(path.string() + ": is not JSON");
  }
}

// Places of trace files in the folder's plan, by their names without extension; nullopt when there is no
// plan.
using PlanOrder = std::map<std::string, std::size_t>;
std::optional<PlanOrder> ReadPlanOrder(const fs::path& folder, bool folds) {
  const fs::path plan = folder / "plan.json";
  if (!fs::exists(plan)) return std::nullopt;
  const json content = ReadJson(plan);
  PlanOrder order;
  try {
    for (const auto& trial : content.at("trials")) {
      if (!folds && !trial.at("fold").is_null()) continue;
      order.emplace(fs::path(trial.at("file").get<std::string>()).stem().string(), order.size());
    }
  } catch (const json::exception&) {
    throw TraceError(plan.string() + ": not a valid plan; okbench run writes it anew");
  }
  return order;
}

std::string Stem(const fs::path& path) {
  return IsFailureRecord(path) ? path.stem().stem().string() : path.stem().string();
}

// All results below a folder, folders by name, in the order of their plans; `folds`: those of cross
// validation, too.
std::vector<fs::path> ResultsBelow(const fs::path& folder, bool folds) {
  std::map<fs::path, std::optional<PlanOrder>> plans;
  std::map<std::tuple<fs::path, std::size_t, std::string>, fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path& path = entry.path();
    if (!entry.is_regular_file() || (!IsTrace(path) && !IsFailureRecord(path))) continue;
    auto plan = plans.find(path.parent_path());
    if (plan == plans.end())
      plan = plans.emplace(path.parent_path(), ReadPlanOrder(path.parent_path(), folds)).first;
    const auto& order = plan->second;
    if (order && !order->contains(Stem(path))) continue;
    found[{path.parent_path(), order ? order->at(Stem(path)) : 0, path.filename().string()}] = path;
  }
  std::vector<fs::path> paths;
  for (const auto& [key, path] : found) paths.push_back(path);
  return paths;
}

json EmptyRow(const std::string& status) {
  return {{"experiment", nullptr},
          {"learner", nullptr},
          {"key", nullptr},
          {"grid_point", nullptr},
          {"parameters", nullptr},
          {"seed", nullptr},
          {"data_set", nullptr},
          {"data_digest", nullptr},
          {"stand_in", nullptr},
          {"status", status},
          {"examples", nullptr},
          {"error_rate", nullptr},
          {"test_error", nullptr},
          {"rmse", nullptr},
          {"test_rmse", nullptr},
          {"margin_errors", nullptr},
          {"support_vectors", nullptr},
          {"wall_seconds", nullptr},
          {"trace_digest", nullptr},
          {"kernel_evaluations", {{"requested", nullptr}, {"computed", nullptr}, {"evaluation", nullptr}}}};
}

json TraceRow(const fs::path& path) {
  Trace trace;
  try {
    trace = ReadTrace(path.string());
  } catch (const TraceError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return EmptyRow("corrupt");
  }
  json row = EmptyRow("ok");
  row["experiment"] = trace.spec["experiment"];
  row["learner"] = trace.spec["learner"];
  row["key"] = trace.provenance["learner_key"];
  row["grid_point"] = trace.provenance["grid_point"];
  row["parameters"] = trace.spec["parameters"];
  if (trace.summary.contains("tuned")) row["parameters"].update(trace.summary["tuned"]["chosen"]);
  row["seed"] = trace.spec["repetition"];
  row["data_set"] = trace.spec["data"]["name"];
  row["data_digest"] = trace.spec["data"]["digest"];
  row["stand_in"] = trace.provenance["stand_in"];
  for (const char* key :
       {"examples", "error_rate", "test_error", "margin_errors", "support_vectors", "kernel_evaluations"})
    row[key] = trace.summary[key];
  for (const char* key : {"rmse", "test_rmse"})
    if (trace.summary.contains(key)) row[key] = trace.summary[key];
  row["wall_seconds"] = trace.provenance["wall_seconds"];
  row["trace_digest"] = trace.Digest();
  return row;
}

json FailureRow(const fs::path& path) try {
  const json record = ReadJson(path);
  json row = EmptyRow("failed: " + record.at("kind").get<std::string>());
  for (const char* key : {"experiment", "learner", "parameters", "data_set", "stand_in"})
    row[key] = record.at(key);
  row["seed"] = record.at("repetition");
  fmt::print(stderr, "{}: {}\n", record.at("name").get<std::string>(),
             record.at("message").get<std::string>());
  return row;
} catch (const json::exception&) {
  throw TraceError(path.string() + ": not a valid failure record");
}

std::string Cell(const json& value, const char* format = "{}") {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format(fmt::runtime(format), value.get<double>());
  return value.dump();
}

// An error rate in percent, or the root mean squared error of regression.
std::string Error(const json& rate, const json& rmse) {
  if (!rmse.is_null()) return fmt::format("rmse {:.4g}", rmse.get<double>());
  return rate.is_null() ? "-" : fmt::format("{:.2f}", 100 * rate.get<double>());
}

// The parameters in which the rows of one experiment and learner differ.
std::set<std::string> Varying(const std::vector<SummaryRow>& rows, const json& row) {
  std::map<std::string, std::set<std::string>> values;
  for (const json& other : rows)
    if (other["experiment"] == row["experiment"] && other["learner"] == row["learner"] &&
        other["parameters"].is_object())
      for (const auto& [name, value] : other["parameters"].items()) values[name].insert(value.dump());
  std::set<std::string> varying;
  for (const auto& [name, seen] : values)
    if (seen.size() > 1) varying.insert(name);
  return varying;
}

std::string Parameters(const std::vector<SummaryRow>& rows, const json& row) {
  std::string text;
  for (const std::string& name : Varying(rows, row))
    text += (text.empty() ? "" : " ") + name + "=" + Cell(row["parameters"][name], "{:.6g}");
  return text.empty() ? "-" : text;
}

std::string Value(const Column& column, std::size_t row) {
  return std::visit([row](const auto& v) { return fmt::format("{}", v[row]); }, column.values);
}

bool SameBits(const Column& a, const Column& b, std::size_t row) {
  if (a.values.index() != b.values.index()) return false;
  if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&a.values))
    return (*whole)[row] == std::get<std::vector<std::int64_t>>(b.values)[row];
  return std::bit_cast<std::uint64_t>(std::get<std::vector<double>>(a.values)[row]) ==
         std::bit_cast<std::uint64_t>(std::get<std::vector<double>>(b.values)[row]);
}

// The first difference in row order, so that the earliest step is named.
std::optional<Difference> CompareTables(const std::string& trial, const Table& a, const Table& b) {
  for (const Column& column : a.columns) {
    const Column* other = b.Find(column.name);
    if (column.deterministic && (other == nullptr || other->values.index() != column.values.index()))
      return Difference{trial, a.name, column.name, -1, "present", other ? "of another type" : "missing"};
  }
  for (const Column& column : b.columns)
    if (column.deterministic && a.Find(column.name) == nullptr)
      return Difference{trial, a.name, column.name, -1, "missing", "present"};
  const std::size_t rows = std::min(a.rows(), b.rows());
  for (std::size_t row = 0; row < rows; ++row)
    for (const Column& column : a.columns) {
      if (!column.deterministic) continue;
      const Column& other = *b.Find(column.name);  // there, as checked above
      if (!SameBits(column, other, row))
        return Difference{trial,
                          a.name,
                          column.name,
                          static_cast<std::int64_t>(row),
                          Value(column, row),
                          Value(other, row)};
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
  return std::nullopt;
}

std::map<std::string, fs::path> TracesBelow(const fs::path& folder) {
  std::map<std::string, fs::path> traces;
  for (const fs::path& path : ResultsBelow(folder, true))
    if (IsTrace(path)) traces[fs::relative(path, folder).string()] = path;
  return traces;
}

}  // namespace

std::vector<SummaryRow> Summarise(const std::vector<std::string>& paths, bool folds) {
  std::vector<SummaryRow> rows;
  for (const std::string& path : paths) {
    if (!fs::exists(path)) throw SpecError(path + ": no such file or folder");
    const std::vector<fs::path> files =
        fs::is_directory(path) ? ResultsBelow(path, folds) : std::vector<fs::path>{path};
    for (const fs::path& file : files)
      rows.push_back(IsFailureRecord(file) ? FailureRow(file) : TraceRow(file));
  }
  if (rows.empty()) throw SpecError("no results here; okbench run makes some");
  return rows;
}

void PrintSummary(const std::vector<SummaryRow>& rows) {
  std::vector<std::vector<std::string>> table = {
      {"experiment", "learner", "parameters", "seed", "data set", "status", "examples", "error %", "test %",
       "margin errors", "SVs", "requested", "computed", "evaluation", "wall s", "digest"}};
  for (const json& row : rows) {
    const json& counts = row["kernel_evaluations"];
    const std::string digest = Cell(row["trace_digest"]);
    const bool stand_in = row["stand_in"].is_boolean() && row["stand_in"].get<bool>();
    table.push_back({Cell(row["experiment"]), Cell(row["learner"]), Parameters(rows, row), Cell(row["seed"]),
                     Cell(row["data_set"]) + (stand_in ? " (STAND-IN)" : ""), Cell(row["status"]),
                     Cell(row["examples"]), Error(row["error_rate"], row["rmse"]),
                     Error(row["test_error"], row["test_rmse"]), Cell(row["margin_errors"]),
                     Cell(row["support_vectors"]), Cell(counts["requested"]), Cell(counts["computed"]),
                     Cell(counts["evaluation"]), Cell(row["wall_seconds"], "{:.3f}"), digest.substr(0, 12)});
  }
  PrintColumns(table);
}

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

void ShowTrace(const std::string& path) {
  const Trace trace = ReadTrace(path);
  fmt::print("{}\n\ntrial {}\ndigest {}\n\nspec\n{}\n\nsummary\n{}\n\nprovenance\n{}\n", path, trace.trial_id,
             trace.Digest(), trace.spec.dump(2), trace.summary.dump(2), trace.provenance.dump(2));
  for (const Table& table : trace.tables) {
    fmt::print("\n{}: {} rows\n", table.name, table.rows());
    std::vector<std::size_t> shown;
    for (std::size_t row = 0; row < table.rows(); ++row)
      if (row < 3 || row + 3 >= table.rows()) shown.push_back(row);
    for (const Column& column : table.columns) {
      std::string line =
          fmt::format("  {:<18}{:<9}", column.name,
                      std::holds_alternative<std::vector<double>>(column.values) ? "float64" : "int64");
      for (std::size_t i = 0; i < shown.size(); ++i) {
        if (i > 0 && shown[i] != shown[i - 1] + 1) line += "  ...";
        line += "  " + Value(column, shown[i]);
      }
      fmt::print("{}{}\n", line, column.deterministic ? "" : "  (not in the digest)");
    }
  }
}

std::vector<Difference> Compare(const std::string& a, const std::string& b, std::size_t& compared) {
  for (const std::string& path : {a, b})
    if (!fs::exists(path)) throw SpecError(path + ": no such file or folder");
  if (fs::is_directory(a) != fs::is_directory(b))
    throw SpecError("compare takes two trace files or two folders");
  std::vector<Difference> differences;
  compared = 0;
  if (!fs::is_directory(a)) {
    compared = 1;
    if (auto difference = CompareFiles(a, b)) differences.push_back(*difference);
    return differences;
  }
  const auto left = TracesBelow(a), right = TracesBelow(b);
  for (const auto& [name, path] : left) {
    const auto other = right.find(name);
    if (other == right.end()) {
      differences.push_back({name, "", "", -1, "present", "missing"});
      continue;
    }
    ++compared;
    if (auto difference = CompareFiles(path, other->second)) differences.push_back(*difference);
  }
  for (const auto& [name, path] : right)
    if (!left.contains(name)) differences.push_back({name, "", "", -1, "missing", "present"});
  if (compared == 0 && differences.empty()) throw SpecError("neither folder holds a trace");
  return differences;
}

}  // namespace okbench
