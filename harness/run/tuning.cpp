#include "harness/run/tuning.h"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "harness/results/result_folder.h"
#include "harness/trace/trace_file.h"

namespace okbench {
namespace {

// Result of one search trial.
struct Found {
  bool diverged = false;  // then the rest is unset
  double wrong = 0;       // mistakes; for regression the sum of squared errors
  std::uint64_t examples = 0;
  bool regression = false;
  nlohmann::json summary;
};

// Reads the errors on the held-out fold, or for stream learners the online errors on the prefix.
Found ReadSearch(const std::string& path, const std::string& id, bool prefix, const std::string& candidate) {
  try {
    if (!HasTrace(path)) {
      const std::optional<Failure> failure = ReadFailure(path);
      if (failure && failure->kind == "diverged") return {.diverged = true, .summary = {}};
      if (failure) throw TrialFailure("cross-validation", "candidate " + candidate + " " + failure->message);
      throw TraceError(path + ": missing");
    }
    const Trace trace = ReadTrace(path);
    if (trace.trial_id != id) throw TraceError(path + ": belongs to another trial");
    Found found{.summary = trace.summary};
    const Table& table = *trace.Find(prefix ? "trace" : "checkpoints");
    if (trace.summary.contains("squared_error_seen")) {
      found.regression = true;
      found.wrong = trace.summary["squared_error_seen"].get<double>();
    } else {
      const Column* mistakes = table.Find(prefix ? "mistakes" : "test_mistakes");
      found.wrong = static_cast<double>(std::get<std::vector<std::int64_t>>(mistakes->values).back());
    }
    found.examples = prefix ? trace.summary["examples"].get<std::uint64_t>()
                            : trace.provenance["data_shape"]["test"].get<std::uint64_t>();
    return found;
  } catch (const TraceError& error) {
    throw TrialFailure("cross-validation", std::string(prefix ? "a trial of the search" : "a fold") +
                                               " has no result: " + error.what());
  }
}

}  // namespace

Choice Choose(const Trial& trial, const std::string& folder) {
  Choice choice;
  std::optional<double> fewest;
  nlohmann::json diverged = nlohmann::json::array();
  nlohmann::json errors = nlohmann::json::array(),
                 cost = {{"requested", 0}, {"computed", 0}, {"evaluation", 0}};
  std::optional<std::uint64_t> features;  // only for learners with an explicit feature map
  std::size_t trials = 0;
  for (std::size_t c = 0; c < trial.candidates.size(); ++c) {
    const Candidate& candidate = trial.candidates[c];
    double wrong = 0, examples = 0;
    bool regression = false, finite = true;
    for (std::size_t f = 0; f < candidate.ids.size(); ++f) {
      const Found found =
          ReadSearch((std::filesystem::path(folder) / candidate.files[f]).string(), candidate.ids[f],
                     trial.info->protocol == Protocol::kStream, candidate.text);
      ++trials;
      if (found.diverged) {
        finite = false;
        continue;
      }
      wrong += found.wrong;
      examples += static_cast<double>(found.examples);
      regression = found.regression;
      for (auto& [kind, sum] : cost.items())
        sum = sum.get<std::uint64_t>() + found.summary["kernel_evaluations"][kind].get<std::uint64_t>();
      if (found.summary.contains("feature_evaluations"))
        features = features.value_or(0) + found.summary["feature_evaluations"].get<std::uint64_t>();
    }
    if (!finite) {
      errors.push_back(nullptr);
      diverged.push_back(candidate.text);
      continue;
    }
    errors.push_back(regression ? std::sqrt(wrong / examples) : wrong / examples);
    if (fewest && wrong >= *fewest) continue;
    fewest = wrong;
    choice.candidate = c;
  }
  if (!fewest) throw TrialFailure("cross-validation", "every candidate of the search diverged");
  choice.tuned = {{"chosen", trial.candidates[choice.candidate].values},
                  {"candidate", choice.candidate},
                  {"validation_errors", errors},
                  {"trials", trials},
                  {"kernel_evaluations", cost}};
  if (!diverged.empty()) choice.tuned["diverged"] = diverged;
  if (features) choice.tuned["feature_evaluations"] = *features;
  return choice;
}

}  // namespace okbench
