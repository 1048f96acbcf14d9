#include "harness/store/result_sets.h"

#include <algorithm>
#include <map>

#include "harness/store/summary.h"

namespace okbench {
namespace {

using nlohmann::json;

// Summary rows of a result set, by experiment/learner[grid] and seed.
using LearnerRows = std::map<std::string, std::map<std::string, SummaryRow>>;

LearnerRows ReadSet(const std::string& folder, const char* where, std::vector<std::string>& failed,
                    const LogFn& log) {
  LearnerRows learners;
  const auto add = [&](const SummaryRow& row, std::size_t) {
    // only_a and only_b name trials that have not run.
    if (row["status"] == "missing") return;
    if (!HasNumbers(row)) {
      const auto text = [&](const char* key) {
        return row[key].is_string() ? row[key].get<std::string>() : "?";
      };
      failed.push_back(text("experiment") + "/" + text("key") + ": " + text("status") + " in " + where);
      return;
    }
    std::string name = row["experiment"].get<std::string>() + "/" + row["key"].get<std::string>();
    if (const auto grid = row["grid_point"].get<std::string>(); !grid.empty()) name += "[" + grid + "]";
    learners[name][std::to_string(row["seed"].get<std::uint64_t>())] = row;
  };
  ForEachRow({.paths = {folder}, .stale = true}, add, log);
  return learners;
}

// Error measures in order of preference. The first that both rows contain is compared.
constexpr std::pair<const char*, const char*> kMeasures[] = {{"test_error", "test error"},
                                                             {"test_rmse", "test rmse"},
                                                             {"error_rate", "average error"},
                                                             {"rmse", "rmse"}};

LearnerComparison CompareLearner(const std::string& name, const std::vector<SummaryRow>& a,
                                 const std::vector<SummaryRow>& b) {
  LearnerComparison out;
  out.name = name;
  const char* key = nullptr;
  for (const auto& [candidate, words] : kMeasures) {
    if (key != nullptr || a[0][candidate].is_null() || b[0][candidate].is_null()) continue;
    key = candidate;
    out.measure = words;
  }
  std::vector<double> differences;
  const auto n = static_cast<double>(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (key != nullptr) {
      const double before = a[i][key].get<double>(), after = b[i][key].get<double>();
      out.a += before;
      out.b += after;
      differences.push_back(after - before);
    }
    const auto difference = [&](const json& from, const json& to) {
      return static_cast<std::int64_t>(to.get<std::uint64_t>() - from.get<std::uint64_t>());
    };
    const json &before = a[i]["kernel_evaluations"], &after = b[i]["kernel_evaluations"];
    out.requested += difference(before["requested"], after["requested"]);
    out.computed += difference(before["computed"], after["computed"]);
    out.evaluation += difference(before["evaluation"], after["evaluation"]);
    out.support_vectors += difference(a[i]["support_vectors"], b[i]["support_vectors"]);
  }
  out.a /= n;
  out.b /= n;
  if (!differences.empty()) out.error = TestDifferences(differences);
  return out;
}

}  // namespace

SetComparison CompareSets(const std::string& a, const std::string& b, const LogFn& log) {
  SetComparison out;
  const LearnerRows left = ReadSet(a, "a", out.failed, log), right = ReadSet(b, "b", out.failed, log);
  const auto missing = [](const LearnerRows& from, const LearnerRows& to, std::vector<std::string>& list) {
    for (const auto& [name, seeds] : from)
      for (const auto& [seed, row] : seeds) {
        const auto other = to.find(name);
        if (other == to.end() || !other->second.contains(seed)) list.push_back(name + "/r" + seed);
      }
  };
  missing(left, right, out.only_a);
  missing(right, left, out.only_b);
  for (const auto& [name, seeds] : left) {
    const auto other = right.find(name);
    if (other == right.end()) continue;
    std::vector<SummaryRow> rows_a, rows_b;
    for (const auto& [seed, row] : seeds)
      if (const auto match = other->second.find(seed); match != other->second.end()) {
        if (row["data_digest"] != match->second["data_digest"] ||
            row["examples"] != match->second["examples"]) {
          out.unlike.push_back(name + "/r" + seed);
          continue;
        }
        rows_a.push_back(row);
        rows_b.push_back(match->second);
      }
    if (!rows_a.empty()) out.learners.push_back(CompareLearner(name, rows_a, rows_b));
  }
  // The family of tests contains the learners with at least 2 seeds.
  std::vector<LearnerComparison*> tested;
  std::vector<double> p;
  for (LearnerComparison& learner : out.learners)
    if (learner.error.n >= 2) {
      tested.push_back(&learner);
      p.push_back(learner.error.p);
    }
  const std::vector<double> adjusted = AdjustHolm(p);
  for (std::size_t i = 0; i < p.size(); ++i) tested[i]->adjusted_p = adjusted[i];
  return out;
}

bool Differs(const SetComparison& comparison, double level) {
  if (!comparison.only_a.empty() || !comparison.only_b.empty() || !comparison.failed.empty() ||
      !comparison.unlike.empty())
    return true;
  return std::any_of(comparison.learners.begin(), comparison.learners.end(), [&](const auto& learner) {
    const bool error = learner.error.n < 2 ? learner.a != learner.b : learner.adjusted_p < level;
    return error || learner.counts_differ();
  });
}

json ToJson(const SetComparison& comparison) {
  json learners = json::array();
  for (const LearnerComparison& one : comparison.learners)
    learners.push_back({{"name", one.name},
                        {"measure", one.measure},
                        {"seeds", one.error.n},
                        {"a", one.a},
                        {"b", one.b},
                        {"difference", one.error.mean},
                        {"interval", {one.error.low, one.error.high}},
                        {"effect", one.error.effect},
                        {"p", one.error.p},
                        {"adjusted_p", one.adjusted_p},
                        {"requested", one.requested},
                        {"computed", one.computed},
                        {"evaluation", one.evaluation},
                        {"support_vectors", one.support_vectors}});
  return {{"learners", learners},
          {"only_a", comparison.only_a},
          {"only_b", comparison.only_b},
          {"failed", comparison.failed},
          {"unlike", comparison.unlike}};
}

}  // namespace okbench
