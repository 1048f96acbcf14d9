#include "harness/store/result_sets.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "harness/store/summary.h"

namespace okbench {
namespace {

using nlohmann::json;

// Error measures in order of preference. The first that both rows contain is compared.
constexpr std::pair<const char*, const char*> kMeasures[] = {{"test_error", "test error"},
                                                             {"test_rmse", "test rmse"},
                                                             {"error_rate", "average error"},
                                                             {"rmse", "rmse"}};

// The numbers of a summary row that are compared. Rows of 10^6 trials would not fit into memory.
struct Numbers {
  explicit Numbers(const SummaryRow& row)
      : data(std::hash<std::string>()(row["data_digest"].dump() + row["examples"].dump())) {
    for (std::size_t i = 0; i < errors.size(); ++i)
      if (const json& error = row[kMeasures[i].first]; !error.is_null()) errors[i] = error.get<double>();
    const json& counts = row["kernel_evaluations"];
    requested = counts["requested"];
    computed = counts["computed"];
    evaluation = counts["evaluation"];
    support_vectors = row["support_vectors"];
  }

  std::array<std::optional<double>, std::size(kMeasures)> errors;
  std::int64_t requested = 0, computed = 0, evaluation = 0, support_vectors = 0;
  std::size_t data = 0;  // equal for equal data and number of examples
};

// The trials of a result set, by experiment/learner[grid] and seed.
using LearnerRows = std::map<std::string, std::map<std::string, Numbers>>;

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
    learners[name].insert_or_assign(std::to_string(row["seed"].get<std::uint64_t>()), Numbers(row));
  };
  ForEachRow({.paths = {folder}, .stale = true}, add, log);
  return learners;
}

// The same trial in both sets.
using NumbersPair = std::pair<const Numbers*, const Numbers*>;

// REQUIRES: there are pairs.
LearnerComparison CompareLearner(const std::string& name, const std::vector<NumbersPair>& pairs) {
  LearnerComparison out;
  out.name = name;
  std::optional<std::size_t> measure;
  const auto& [first, other] = pairs.front();
  for (std::size_t i = 0; i < first->errors.size() && !measure; ++i)
    if (first->errors[i] && other->errors[i]) measure = i;
  if (measure) out.measure = kMeasures[*measure].second;
  std::vector<double> differences;
  for (const auto& [a, b] : pairs) {
    if (measure) {
      const double before = a->errors[*measure].value(), after = b->errors[*measure].value();
      out.a += before;
      out.b += after;
      differences.push_back(after - before);
    }
    out.requested += b->requested - a->requested;
    out.computed += b->computed - a->computed;
    out.evaluation += b->evaluation - a->evaluation;
    out.support_vectors += b->support_vectors - a->support_vectors;
  }
  out.a /= static_cast<double>(pairs.size());
  out.b /= static_cast<double>(pairs.size());
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
    std::vector<NumbersPair> pairs;
    for (const auto& [seed, numbers] : seeds)
      if (const auto match = other->second.find(seed); match != other->second.end()) {
        if (numbers.data == match->second.data)
          pairs.emplace_back(&numbers, &match->second);
        else
          out.unlike.push_back(name + "/r" + seed);
      }
    if (!pairs.empty()) out.learners.push_back(CompareLearner(name, pairs));
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
