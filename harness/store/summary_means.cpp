#include "harness/store/summary_means.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace okbench {
namespace {

using nlohmann::json;

constexpr const char* kIdentity[] = {"experiment", "key",      "learner",    "grid_point",
                                     "parameters", "data_set", "batch",      "kernel",
                                     "synthetic",  "label",    "replacement"};
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

// The error by which grid points are compared; infinite if there is no result.
double ErrorOf(const json& group) {
  for (const char* key : {"test_error", "test_rmse", "error_rate", "rmse"})
    if (!group[key].is_null()) return group[key]["mean"].get<double>();
  return std::numeric_limits<double>::infinity();
}

// What the rows of the seeds of one grid point have in common, even without numbers.
std::string NameOf(const json& row) {
  std::string name;
  for (const char* key : {"experiment", "key", "grid_point", "data_set", "batch"}) {
    const json& value = row[key];
    name += (value.is_string() ? value.get_ref<const std::string&>() : value.dump()) + '\n';
  }
  return name;
}

}  // namespace

std::vector<SummaryRow> BestOf(const std::vector<SummaryRow>& means) {
  std::map<std::string, std::size_t> places;
  std::vector<SummaryRow> best;
  for (const json& group : means) {
    json identity = json::array();
    for (const char* key : {"experiment", "key", "data_set", "synthetic", "replacement"})
      identity.push_back(group[key]);
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

void Means::Add(const SummaryRow& row, std::size_t position) {
  if (!row["fold"].is_null()) return;
  const std::string name = NameOf(row);
  if (HasNumbers(row)) {
    auto& groups = groups_[name];
    const auto& setting = row["setting"].get_ref<const std::string&>();
    auto group = groups.find(setting);
    if (group == groups.end()) group = groups.emplace(setting, Group{position, row, {}}).first;
    AddNumbers(group->second, row, position);
    return;
  }
  const auto [lacking, is_new] = lacking_.try_emplace(name, Lacking{position, row});
  if (position < lacking->second.position) {
    lacking->second.position = position;
    lacking->second.first = row;
  }
  const json& status = row["status"];
  ++(status == "missing" ? lacking->second.missing
     : status == "stale" ? lacking->second.stale
                         : lacking->second.failed);
}

void Means::AddNumbers(Group& group, const SummaryRow& row, std::size_t position) {
  if (position < group.position) {
    group.position = position;
    group.first = row;
  }
  if (row["status"] == "ok (stale)") ++group.stale;
  Entry entry{.position = position, .values = {}};
  const auto add = [&](const std::string& path, const json& value) {
    if (!value.is_number()) return;
    const std::size_t number = paths_.try_emplace(path, paths_.size()).first->second;
    if (entry.values.size() <= number) entry.values.resize(paths_.size(), std::nan(""));
    entry.values[number] = value.get<double>();
  };
  for (const auto& [key, value] : row.items()) add(key, value);
  for (const auto& [key, value] : row["measures"].items()) add("measures/" + key, value);
  for (const auto& [key, value] : row["kernel_evaluations"].items()) add("kernel_evaluations/" + key, value);
  if (row["cost_to_reach"].is_object()) add("cost_to_reach/requested", row["cost_to_reach"]["requested"]);
  group.entries.push_back(std::move(entry));
}

// The values of the rows that have one, in order of positions.
std::vector<double> Means::ValuesOf(const Group& group, const std::string& path) const {
  std::vector<double> values;
  const auto number = paths_.find(path);
  if (number == paths_.end()) return values;
  for (const Entry& entry : group.entries)
    if (number->second < entry.values.size() && !std::isnan(entry.values[number->second]))
      values.push_back(entry.values[number->second]);
  return values;
}

SummaryRow Means::RowOfGroup(const Group& group, const Lacking* lacking) const {
  const json& first = group.first;
  const std::size_t good = group.entries.size();
  json row = json::object();
  for (const char* key : kIdentity) row[key] = first[key];
  row["seeds"] = good;
  row["counted"] = good == 0 ? json() : first["counted"];
  row["failed"] = lacking ? lacking->failed : 0;
  row["missing"] = lacking ? lacking->missing : 0;
  row["stale"] = group.stale + (lacking ? lacking->stale : 0);
  row["complete"] = lacking == nullptr;
  // A mean over fewer seeds than planned is not the planned mean.
  const auto mean = [&](const std::string& path) { return lacking ? json() : MeanOf(ValuesOf(group, path)); };
  // A cost that one seed never reaches, or a measure that one seed lacks, has no mean.
  const auto mean_of_all = [&](const std::string& path) {
    return ValuesOf(group, path).size() == good ? mean(path) : json();
  };
  for (const auto& [key, value] : first.items())
    if (!row.contains(key) && (value.is_number() || value.is_null()) &&
        !std::ranges::count(kNotAveraged, key))
      row[key] = mean(key);
  row["measures"] = nullptr;
  if (!lacking)
    for (const auto& [name, value] : first["measures"].items())
      row["measures"][name] = mean_of_all("measures/" + name);
  row["kernel_evaluations"] = json::object();
  for (const char* kind : {"requested", "computed", "evaluation"})
    row["kernel_evaluations"][kind] = mean(std::string("kernel_evaluations/") + kind);
  row["cost_to_reach"] = nullptr;
  if (first["cost_to_reach"].is_object())
    row["cost_to_reach"] = {{"error", first["cost_to_reach"]["error"]},
                            {"requested", mean_of_all("cost_to_reach/requested")}};
  return row;
}

std::vector<SummaryRow> Means::Rows() const {
  std::vector<std::pair<std::size_t, json>> sorted, without;
  for (const auto& [name, groups] : groups_) {
    const auto lacking = lacking_.find(name);
    for (const auto& [setting, group] : groups) {
      Group ordered = group;
      std::sort(ordered.entries.begin(), ordered.entries.end());
      sorted.emplace_back(group.position,
                          RowOfGroup(ordered, lacking == lacking_.end() ? nullptr : &lacking->second));
    }
  }
  for (const auto& [name, lacking] : lacking_)
    if (!groups_.contains(name))
      without.emplace_back(lacking.position, RowOfGroup({lacking.position, lacking.first, {}}, &lacking));
  std::vector<SummaryRow> rows;
  for (auto* list : {&sorted, &without}) {
    std::sort(list->begin(), list->end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [position, row] : *list) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace okbench
