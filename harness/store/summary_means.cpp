// Means over seeds, and the cost of reaching an error.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/store/summary.h"
#include "learners/core/error.h"

namespace okbench {
namespace {

using nlohmann::json;

constexpr const char* kIdentity[] = {"experiment", "key",   "learner", "grid_point", "parameters",
                                     "data_set",   "batch", "kernel",  "synthetic"};
constexpr const char* kNotAveraged[] = {"id",    "setting",     "seed",        "fold",
                                        "batch", "data_digest", "trace_digest"};

json MeanOf(const std::vector<double>& values) {
  if (values.empty()) return nullptr;
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  // The mean of equal values is that value, and their deviation 0, whatever the rounding of the sum.
  const bool equal =
      std::all_of(values.begin(), values.end(), [&](double value) { return value == values[0]; });
  const double mean = equal ? values[0] : sum / n;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {{"mean", mean}, {"deviation", values.size() > 1 ? json(std::sqrt(squares / (n - 1))) : json()}};
}

// Mean over the rows whose value is a number. `all`: null unless every row has one, because a cost that one
// seed never reaches has no mean.
template <class Value>
json MeanOver(const std::vector<const json*>& rows, const Value& value, bool all) {
  std::vector<double> values;
  for (const json* row : rows) {
    const json found = value(*row);
    if (found.is_number())
      values.push_back(found.get<double>());
    else if (all)
      return nullptr;
  }
  return MeanOf(values);
}

json Group(const std::vector<const json*>& rows) {
  const json& first = *rows.front();
  json group = json::object();
  for (const char* key : kIdentity) group[key] = first[key];
  std::vector<const json*> good;
  std::size_t missing = 0, stale = 0, failed = 0;
  for (const json* row : rows) {
    const json& status = (*row)["status"];
    if (HasNumbers(*row)) good.push_back(row);
    if (status == "missing")
      ++missing;
    else if (status == "stale" || status == "ok (stale)")
      ++stale;
    else if (!HasNumbers(*row))
      ++failed;
  }
  group["seeds"] = good.size();
  group["counted"] = good.empty() ? json() : (*good.front())["counted"];
  group["failed"] = failed;
  group["missing"] = missing;
  group["stale"] = stale;
  group["complete"] = good.size() == rows.size();
  // A mean over fewer seeds than planned is not the planned mean.
  if (good.size() < rows.size()) good.clear();
  for (const auto& [key, value] : (good.empty() ? first : *good.front()).items())
    if (!group.contains(key) && (value.is_number() || value.is_null()) &&
        !std::ranges::count(kNotAveraged, key))
      group[key] = MeanOver(
          good, [&key = key](const json& row) { return row.value(key, json()); }, false);
  group["measures"] = nullptr;
  const json measures = good.empty() ? json() : (*good.front())["measures"];
  for (const auto& [name, value] : measures.items())
    group["measures"][name] = MeanOver(
        good, [&name = name](const json& row) { return MeasureOf(row, name); }, true);
  group["kernel_evaluations"] = json::object();
  for (const char* kind : {"requested", "computed", "evaluation"})
    group["kernel_evaluations"][kind] = MeanOver(
        good, [kind](const json& row) { return row["kernel_evaluations"][kind]; }, false);
  group["cost_to_reach"] = nullptr;
  if (first["cost_to_reach"].is_null()) return group;
  const auto cost = [](const json& row) {
    return row["cost_to_reach"].is_null() ? json() : row["cost_to_reach"]["requested"];
  };
  group["cost_to_reach"] = {{"error", first["cost_to_reach"]["error"]},
                            {"requested", MeanOver(good, cost, true)}};
  return group;
}

// The values of an integer column. Throws TraceError if it is missing or real.
const std::vector<std::int64_t>& CountsOf(const Table& table, const std::string& name) {
  const Column* column = table.Find(name);
  const auto* counts = column == nullptr ? nullptr : std::get_if<std::vector<std::int64_t>>(&column->values);
  if (counts == nullptr) throw TraceError("a trace has no column '" + name + "' of integers");
  return *counts;
}

// Number of examples over which the mistakes in each row of the table were counted.
std::vector<double> Counted(const Trace& trace, const Table& table) {
  if (trace.provenance.at("counted") == kCountedTraining)
    return std::vector<double>(table.rows(), trace.provenance.at("data_shape").at("train").get<double>());
  const auto& shown = CountsOf(table, table.Find("examples") != nullptr ? "examples" : "step");
  return {shown.begin(), shown.end()};
}

// The error by which grid points are compared; infinite if there is no result.
double ErrorOf(const json& group) {
  for (const char* key : {"test_error", "test_rmse", "error_rate", "rmse"})
    if (!group[key].is_null()) return group[key]["mean"].get<double>();
  return std::numeric_limits<double>::infinity();
}

}  // namespace

std::optional<std::uint64_t> CostToReach(const Trace& trace, double error) {
  const Table* table = trace.Find("trace");
  // Traces without `counted` do not define the denominator of the average error.
  if (table == nullptr || trace.summary.at("error_rate").is_null() || !trace.provenance.contains("counted") ||
      table->rows() == 0)
    return std::nullopt;
  const auto &mistakes = CountsOf(*table, "mistakes"), &requested = CountsOf(*table, "kernel_requested");
  const std::vector<double> counted = Counted(trace, *table);
  std::optional<std::uint64_t> cost;
  for (std::size_t t = mistakes.size(); t-- > 0;) {
    if (!(static_cast<double>(mistakes[t]) < error * counted[t])) break;
    cost = static_cast<std::uint64_t>(requested[t]);
  }
  return cost;
}

std::vector<SummaryRow> BestOf(const std::vector<SummaryRow>& means) {
  std::map<std::string, std::size_t> places;
  std::vector<SummaryRow> best;
  for (const json& group : means) {
    json identity = json::array();
    for (const char* key : {"experiment", "key", "data_set", "synthetic"}) identity.push_back(group[key]);
    const auto [place, fresh] = places.try_emplace(identity.dump(), best.size());
    if (fresh) {
      best.push_back(group);
      best.back()["points"] = group["complete"] == true ? 1 : 0;
      continue;
    }
    json& kept = best[place->second];
    const auto points = kept["points"].get<std::size_t>() + (group["complete"] == true ? 1 : 0);
    if (ErrorOf(group) < ErrorOf(kept)) kept = group;
    kept["points"] = points;
  }
  return best;
}

std::vector<SummaryRow> MeansOver(const std::vector<SummaryRow>& rows) {
  // Trials without numbers have no setting. They belong to the settings that share the other keys.
  using Name = std::string;
  const auto name_of = [](const json& row) {
    json identity = json::array();
    for (const char* key : {"experiment", "key", "grid_point", "data_set", "batch"})
      identity.push_back(row[key]);
    return identity.dump();
  };
  std::map<std::pair<Name, std::string>, std::size_t> places;
  std::map<Name, std::vector<std::size_t>> of_name;
  std::vector<std::vector<const json*>> groups;  // in the order of their first rows
  const auto group_of = [&](const Name& name, const std::string& setting) {
    const auto [place, is_new] = places.try_emplace({name, setting}, groups.size());
    if (is_new) {
      groups.emplace_back();
      of_name[name].push_back(place->second);
    }
    return place->second;
  };
  for (const json& row : rows)
    if (row["fold"].is_null() && HasNumbers(row))
      groups[group_of(name_of(row), row["setting"].get<std::string>())].push_back(&row);
  for (const json& row : rows) {
    if (!row["fold"].is_null() || HasNumbers(row)) continue;
    const Name name = name_of(row);
    if (!of_name.contains(name)) group_of(name, "");
    for (const std::size_t place : of_name[name]) groups[place].push_back(&row);
  }
  std::vector<SummaryRow> means;
  for (const auto& group : groups) means.push_back(Group(group));
  return means;
}

}  // namespace okbench
