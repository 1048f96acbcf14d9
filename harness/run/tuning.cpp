#include "harness/run/tuning.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "harness/plan/stream_search.h"
#include "harness/results/result_folder.h"
#include "harness/trace/trace_file.h"
#include "harness/trial/trial.h"

namespace okbench {
namespace {

using nlohmann::json;

// Outcome of a candidate, over all its runs.
struct Outcome {
  bool diverged = false;  // then the rest is unset
  bool stopped = false;   // at the error of a better one
  double wrong = 0;       // mistakes; for regression the sum of squared errors
  std::uint64_t examples = 0;
  bool regression = false;
};

// Outcomes of the candidates, and the cost of the search.
class Outcomes {
 public:
  explicit Outcomes(const std::vector<Candidate>& candidates) : candidates_(candidates) {}

  void AddCost(const json& summary) {
    for (auto& [kind, sum] : cost_.items())
      sum = sum.get<std::uint64_t>() + summary["kernel_evaluations"][kind].get<std::uint64_t>();
    if (summary.contains("feature_evaluations"))
      features_ = features_.value_or(0) + summary["feature_evaluations"].get<std::uint64_t>();
  }

  void Add(std::size_t candidate, const Outcome& outcome) {
    tried_.push_back(candidates_[candidate].values);
    examples_.push_back(outcome.examples);
    if (outcome.diverged) diverged_.push_back(candidates_[candidate].text);
    if (outcome.diverged || outcome.stopped) return errors_.push_back(nullptr);
    const double error = outcome.wrong / static_cast<double>(outcome.examples);
    errors_.push_back(outcome.regression ? std::sqrt(error) : error);
    if (outcome.wrong >= least_) return;
    least_ = outcome.wrong;
    best_ = candidate;
  }

  // Mistakes, or squared errors, of the best candidate so far; infinity without one.
  double least() const { return least_; }
  std::optional<std::size_t> best() const { return best_; }

  // Throws TrialFailure if every candidate diverged.
  Choice Choose(std::size_t runs) const {
    if (!best_) throw TrialFailure("cross-validation", "every candidate of the search diverged");
    Choice choice{.candidate = *best_,
                  .tuned = {{"chosen", candidates_[*best_].values},
                            {"candidate", *best_},
                            {"validation_errors", errors_},
                            {"trials", runs},
                            {"kernel_evaluations", cost_}}};
    if (!diverged_.empty()) choice.tuned["diverged"] = diverged_;
    if (features_) choice.tuned["feature_evaluations"] = *features_;
    return choice;
  }
  const json& tried() const { return tried_; }
  const json& examples() const { return examples_; }

 private:
  const std::vector<Candidate>& candidates_;
  double least_ = std::numeric_limits<double>::infinity();
  std::optional<std::size_t> best_;
  json tried_ = json::array(), errors_ = json::array(), examples_ = json::array(), diverged_ = json::array();
  json cost_ = {{"requested", 0}, {"computed", 0}, {"evaluation", 0}};
  std::optional<std::uint64_t> features_;  // only for learners with an explicit feature map
};

// The trace of a fold; none if it has diverged.
std::optional<Trace> ReadFold(const std::string& path, const std::string& id, const std::string& candidate) {
  try {
    if (!HasTrace(path)) {
      const std::optional<Failure> failure = ReadFailure(path);
      if (failure && failure->kind == "diverged") return std::nullopt;
      if (failure) throw TrialFailure("cross-validation", "candidate " + candidate + " " + failure->message);
      throw TraceError(path + ": missing");
    }
    Trace trace = ReadTrace(path);
    if (trace.trial_id != id) throw TraceError(path + ": belongs to another trial");
    return trace;
  } catch (const TraceError& error) {
    throw TrialFailure("cross-validation", std::string("a fold has no result: ") + error.what());
  }
}

// Runs the candidates of one trial on the beginning of its stream.
class PrefixSearch {
 public:
  PrefixSearch(const Trial& trial, DataCache& data, const StopToken& stop, std::size_t lookahead)
      : trial_(trial),
        candidates_(*trial.candidates),
        by_coordinates_(trial.validation.search == Search::kCoordinates),
        data_(data),
        stop_(stop),
        lookahead_(lookahead),
        outcomes_(candidates_) {
    stop_.steps = nullptr;  // progress is that of the trial
  }

  Choice Choose() {
    if (by_coordinates_)
      Descend();
    else
      for (std::size_t c = 0; c < candidates_.size(); ++c) Try(c);
    Choice choice = outcomes_.Choose(tried_.size());
    choice.seconds = stop_.search_seconds;
    if (!by_coordinates_) return choice;
    choice.tuned["search"] = "coordinates";
    choice.tuned["tried"] = outcomes_.tried();
    choice.tuned["examples"] = outcomes_.examples();
    return choice;
  }

 private:
  void Descend() {
    const std::vector<TunedAxis> axes = TunedAxes(candidates_);
    json point = json::object();
    for (const TunedAxis& axis : axes) point[axis.name] = Sorted(axis)[(axis.values.size() - 1) / 2];
    const auto try_at = [&](const std::string& name, const json& value) {
      json values = point;
      values[name] = value;
      Try(IndexOf(values));
    };
    for (const TunedAxis& axis : axes) {
      for (const json& value : axis.values) try_at(axis.name, value);
      if (outcomes_.best()) point = candidates_[*outcomes_.best()].values;
    }
    if (axes.size() == 1) return;
    const TunedAxis& first = axes.front();
    const std::vector<json> sorted = Sorted(first);
    const auto at = std::ranges::find(sorted, point[first.name]) - sorted.begin();
    if (at > 0) try_at(first.name, sorted[at - 1]);
    if (at + 1 < std::ssize(sorted)) try_at(first.name, sorted[at + 1]);
  }

  static std::vector<json> Sorted(const TunedAxis& axis) {
    std::vector<json> values = axis.values;
    std::ranges::sort(values);
    return values;
  }

  std::size_t IndexOf(const json& values) const {
    return std::ranges::find(candidates_, values, &Candidate::values) - candidates_.begin();
  }

  void Try(std::size_t candidate) {
    if (!tried_.insert(candidate).second) return;
    if (by_coordinates_) stop_.most_wrong = outcomes_.least();
    const Trial run = PrefixTrial(trial_, candidates_[candidate]);
    try {
      const Trace trace = RunTrial(run, data_, stop_, lookahead_);
      const json& summary = trace.summary;
      const bool regression = summary.contains("squared_error_seen");
      const Outcome outcome{.wrong = summary[regression ? "squared_error_seen" : "mistakes"].get<double>(),
                            .examples = summary["examples"].get<std::uint64_t>(),
                            .regression = regression};
      outcomes_.AddCost(summary);
      stop_.search_seconds += trace.provenance["wall_seconds"].get<double>();
      outcomes_.Add(candidate, Stopped(outcome));
    } catch (const TrialFailure& failure) {
      if (failure.kind() != "diverged")
        throw TrialFailure(failure.kind(),
                           "candidate " + candidates_[candidate].text + ": " + failure.what());
      outcomes_.Add(candidate, {.diverged = true});
    }
  }

  Outcome Stopped(Outcome outcome) const {
    outcome.stopped = outcome.wrong >= stop_.most_wrong;
    return outcome;
  }

  const Trial& trial_;
  const std::vector<Candidate>& candidates_;
  const bool by_coordinates_;
  DataCache& data_;
  StopToken stop_;
  std::size_t lookahead_;
  Outcomes outcomes_;
  std::set<std::size_t> tried_;
};

}  // namespace

Choice ChooseByFolds(const Trial& trial, const std::string& folder) {
  Outcomes outcomes(*trial.candidates);
  std::size_t runs = 0;
  for (std::size_t c = 0; c < trial.candidates->size(); ++c) {
    const Candidate& candidate = (*trial.candidates)[c];
    Outcome sum;
    for (std::size_t f = 0; f < candidate.ids.size(); ++f, ++runs) {
      const std::string path = (std::filesystem::path(folder) / candidate.files[f]).string();
      const std::optional<Trace> trace = ReadFold(path, candidate.ids[f], candidate.text);
      if (!trace) {
        sum.diverged = true;
        continue;
      }
      const Column* mistakes = trace->Find("checkpoints")->Find("test_mistakes");
      sum.wrong += static_cast<double>(std::get<std::vector<std::int64_t>>(mistakes->values).back());
      sum.examples += trace->provenance["data_shape"]["test"].get<std::uint64_t>();
      outcomes.AddCost(trace->summary);
    }
    outcomes.Add(c, sum);
  }
  return outcomes.Choose(runs);
}

Choice ChooseOnPrefix(const Trial& trial, DataCache& data, const StopToken& stop, std::size_t lookahead) {
  return PrefixSearch(trial, data, stop, lookahead).Choose();
}

}  // namespace okbench
