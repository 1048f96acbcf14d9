#include "harness/run/tuning.h"

#include <cstdint>
#include <filesystem>
#include <optional>

#include "harness/store/result_folder.h"
#include "harness/store/trace_file.h"
#include "harness/system/error.h"

namespace okbench {
namespace {

// Mistakes on the held-out fold and kernel evaluations of one fold trial.
nlohmann::json ReadFold(const std::string& path, const std::string& id) {
  try {
    if (!HasTrace(path)) throw TraceError(path + ": missing or failed");
    Trace trace = ReadTrace(path);
    if (trace.trial_id != id) throw TraceError(path + ": belongs to another trial");
    const Column* mistakes = trace.Find("checkpoints")->Find("test_mistakes");
    trace.summary["held_out_mistakes"] = std::get<std::vector<std::int64_t>>(mistakes->values).back();
    trace.summary["held_out"] = trace.provenance["data_shape"]["test"];
    return trace.summary;
  } catch (const TraceError& error) {
    throw TrialFailure("cross-validation", std::string("a fold has no result: ") + error.what());
  }
}

}  // namespace

Choice Choose(const Trial& trial, const std::string& folder) {
  Choice choice;
  std::uint64_t fewest = 0;
  nlohmann::json errors = nlohmann::json::array(),
                 cost = {{"requested", 0}, {"computed", 0}, {"evaluation", 0}};
  std::optional<std::uint64_t> features;  // of learners with an explicit feature map
  std::size_t trials = 0;
  for (std::size_t c = 0; c < trial.candidates.size(); ++c) {
    const Candidate& candidate = trial.candidates[c];
    std::uint64_t mistakes = 0, held_out = 0;
    for (std::size_t f = 0; f < candidate.ids.size(); ++f) {
      const auto summary =
          ReadFold((std::filesystem::path(folder) / candidate.files[f]).string(), candidate.ids[f]);
      mistakes += summary["held_out_mistakes"].get<std::uint64_t>();
      held_out += summary["held_out"].get<std::uint64_t>();
      for (auto& [kind, sum] : cost.items())
        sum = sum.get<std::uint64_t>() + summary["kernel_evaluations"][kind].get<std::uint64_t>();
      if (summary.contains("feature_evaluations"))
        features = features.value_or(0) + summary["feature_evaluations"].get<std::uint64_t>();
      ++trials;
    }
    errors.push_back(static_cast<double>(mistakes) / static_cast<double>(held_out));
    if (c > 0 && mistakes >= fewest) continue;
    fewest = mistakes;
    choice.candidate = c;
  }
  choice.tuned = {{"chosen", trial.candidates[choice.candidate].values},
                  {"candidate", choice.candidate},
                  {"validation_errors", errors},
                  {"trials", trials},
                  {"kernel_evaluations", cost}};
  if (features) choice.tuned["feature_evaluations"] = *features;
  return choice;
}

}  // namespace okbench
