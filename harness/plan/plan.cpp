#include "harness/plan/plan.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "harness/plan/canonical.h"
#include "harness/plan/expand.h"
#include "harness/plan/label_kinds.h"
#include "harness/plan/size.h"
#include "harness/plan/stream_search.h"
#include "harness/system/memory.h"

namespace okbench {
namespace {

using nlohmann::json;

std::string Joined(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + "," + b;
}

// Plans the trials of one combination on one data set: search trials first, then one trial per repetition.
// Throws SpecError and InvalidArgument.
class CombinationPlan {
 public:
  // Adds to `trials`.
  CombinationPlan(const Spec& spec, const PlannedData& data, const Combination& combination,
                  std::vector<Trial>& trials)
      : spec_(spec), data_(data), combination_(combination), entry_(*combination.entry), trials_(trials) {}

  void AddTrials() {
    Trial trial = Named();
    std::vector<Axis> tune = entry_.tune;
    tune.insert(tune.end(), spec_.kernel.tune.begin(), spec_.kernel.tune.end());
    std::vector<Candidate> candidates = Candidates(trial, tune);
    if (!entry_.hedge.empty()) {
      if (candidates.size() > 1) FailLearner(spec_, entry_, "has a hedge, and [kernel] tunes its parameters");
      trial.hedged = candidates = Candidates(trial, entry_.hedge);
      trial.hedge = entry_.hedge_options;
      candidates.resize(1);
    }
    if (candidates.size() > 1 && !OnPrefixes(entry_))
      for (Candidate& candidate : candidates) AddFolds(trial, candidate);
    trial.parameters = candidates.front().parameters;
    trial.kernel = candidates.front().kernel;
    // A single value needs no search.
    if (candidates.size() > 1) trial.candidates = std::move(candidates);
    CheckLabels(trial);
    CheckScores(trial);
    trial.scores = {.kind = ScoreKindOf(trial.parameters, data_.labels), .classes = data_.classes};
    CheckRepetitions(trial);
    CheckStream();
    if (!trial.candidates->empty()) CheckSearch(trial.data->stream.order);
    trial.changes = ChangesOf(trial);
    trial.reaction = trial.changes.empty() ? 0 : spec_.reaction;
    SetCost(trial, data_);
    std::vector<std::string> ids{TrialId(TrialIdentity(trial))};
    if (spec_.repetitions > 1) {
      ids.resize(spec_.repetitions);
      const RepetitionIds of(trial);
      tbb::parallel_for(std::uint64_t{0}, spec_.repetitions, [&](std::uint64_t r) { ids[r] = of.Of(r); });
    }
    for (std::uint64_t r = 0; r < spec_.repetitions; ++r) {
      trial.repetition = r;
      trial.id = ids[r];
      trials_.push_back(trial);
    }
  }

 private:
  // The sized trial with names and grid values, without parameters.
  Trial Named() const {
    Trial trial = data_.base;
    trial.learner_key = entry_.key;
    trial.label = entry_.label;
    trial.info = entry_.info;
    trial.kernel = KernelAt(trial.kernel, combination_.kernel);
    trial.kernel = KernelAt(trial.kernel, entry_.given);
    trial.kernel = KernelAt(trial.kernel, combination_.point);
    if (combination_.point.contains(kGammaFactor)) trial.kernel_point["gamma"] = GammaOf(trial.kernel);
    for (const auto& [name, given] : combination_.kernel)
      trial.kernel_point[name.substr(std::string(kKernelAxis).size())] = ToJson(given.value);
    trial = Sized(std::move(trial), spec_, entry_, data_, combination_.batch);
    trial.grid_point = Joined(trial.grid_point, PointText(spec_.kernel.grid, combination_.kernel, 1));
    if (spec_.data.batches.size() > 1)
      trial.grid_point = Joined(trial.grid_point, "batch=" + ToText(combination_.batch));
    if (combination_.delay > 0) trial.data.Edit().stream.delay = combination_.delay;
    if (data_.delays) trial.data.Edit().stream.delays = data_.delays;
    if (spec_.data.delays.size() > 1)
      trial.grid_point = Joined(trial.grid_point, "delay=" + std::to_string(combination_.delay));
    trial.grid_point = Joined(trial.grid_point, PointText(entry_.grid, combination_.point, trial.training));
    return trial;
  }

  // One candidate per combination of the values of `axes`, at least one.
  std::vector<Candidate> Candidates(const Trial& trial, const std::vector<Axis>& axes) const {
    const auto factor = [](const Axis& axis) { return axis.name == kGammaFactor; };
    if (!spec_.kernel.tune.empty() && std::ranges::any_of(entry_.tune, factor))
      FailLearner(spec_, entry_,
                  "tunes gamma_factor, and [kernel] tunes its parameters; remove one of the two");
    std::vector<Candidate> candidates;
    ForEachPoint(axes, [&](const Point& values) {
      Candidate& candidate = candidates.emplace_back();
      candidate.parameters = Parameters(values, trial.training);
      candidate.kernel = KernelAt(trial.kernel, values);
      candidate.values = json::object();
      for (const auto& [name, given] : values)
        if (name == kGammaFactor)
          candidate.values[kKernelAxis + std::string("gamma")] = GammaOf(candidate.kernel);
        else
          candidate.values[name] = ToJson(ValueFor(given, trial.training));
      candidate.text = PointText(axes, values, trial.training);
    });
    return candidates;
  }

  ParameterValues Parameters(const Point& tuned, std::uint64_t n) const {
    std::map<std::string, ParameterValue> values;
    for (const Point* point : {&combination_.point, &tuned})
      for (const auto& [name, given] : *point)
        if (!IsOfKernel(name)) values.try_emplace(name, ValueFor(given, n));
    for (const auto& [name, given] : entry_.given)
      if (!IsOfKernel(name)) values[name] = ValueFor(given, n);
    return ParameterValues::Resolve(entry_.info->parameters, values);
  }

  void CheckLabels(const Trial& trial) const {
    try {
      RequireLabelsFor(*trial.info, trial.parameters, data_.labels);
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(error.what() + (" ('" + trial.data->train.name) + "'); " +
                            LabelsHint(*trial.info, data_.labels, !spec_.data.train.positive.empty()));
    }
  }

  // Measures of predictions need one meaning of the scores, whichever candidate is chosen.
  void CheckScores(const Trial& trial) const {
    if (spec_.measures.empty() && !spec_.trace.predictions) return;
    for (const Candidate& candidate : *trial.candidates)
      if (ScoreKindOf(candidate.parameters, data_.labels) != ScoreKindOf(trial.parameters, data_.labels))
        FailLearner(spec_, entry_,
                    "tunes losses whose scores differ in kind; remove the measures, or tune one loss");
  }

  // Equal repetitions would count as independent seeds.
  void CheckRepetitions(const Trial& trial) const {
    const StreamSpec& stream = trial.data->stream;
    const bool fixed =
        !stream.positive_share && (stream.order == Order::kFile || stream.order == Order::kCounting);
    if (spec_.repetitions > 1 && fixed && !entry_.info->random)
      FailLearner(spec_, entry_,
                  fmt::format("draws no random numbers, and data.order is fixed: all {} repetitions would be "
                              "equal; use repetitions = 1, or data.order = \"permutation\"",
                              spec_.repetitions));
  }

  // Steps of the stream at which the data changes, also after its end. Only a stream in file order has known
  // changes.
  std::vector<std::uint64_t> ChangesOf(const Trial& trial) const {
    const StreamSpec& stream = trial.data->stream;
    const DataRequest& rows = trial.data->train;
    const bool in_order = entry_.info->protocol == Protocol::kStream && stream.order == Order::kFile &&
                          stream.epochs == 1 && !stream.positive_share && rows.part == "train" &&
                          !rows.sample;
    if (!in_order) return {};
    std::vector<std::uint64_t> steps = data_.change_points;
    for (std::uint64_t& step : steps) ++step;
    return steps;
  }

  // Delay and share need a stream, whose order the harness decides. Weights need a learner that uses them.
  void CheckStream() const {
    const StreamSpec& stream = spec_.data.stream;
    if (entry_.info->protocol != Protocol::kStream &&
        (combination_.delay > 0 || data_.delays || stream.positive_share))
      FailLearner(spec_, entry_, "does not learn from a stream: remove data.delay and data.positive_share");
    if (stream.positive_share && data_.labels != LabelKind::kBinary)
      FailLearner(spec_, entry_, "data.positive_share needs binary labels; set data.positive");
    const std::size_t weights = stream.class_weights.size();
    if (weights > 0 && !entry_.info->weights)
      FailLearner(spec_, entry_, "does not weight losses; remove data.class_weights");
    if (weights > 0 && weights != data_.classes)
      FailLearner(spec_, entry_,
                  "data.class_weights must have one number for each of the " + std::to_string(data_.classes) +
                      " classes");
  }

  // The beginning of a stream must be like the rest.
  void CheckSearch(Order order) const {
    if (!OnPrefixes(entry_)) return;
    if (IsCounting(order)) FailLearner(spec_, entry_, "cannot be tuned on a prefix of the counting sequence");
    if (data_.grouped_by_class && order == Order::kFile)
      FailLearner(spec_, entry_,
                  "would be tuned on the first classes only: the rows of '" + data_.base.data->train.name +
                      "' are grouped by class; use data.order = \"permutation\"");
  }

  void AddFolds(const Trial& of, Candidate& candidate) {
    const Trial search = SearchTrial(of, candidate);
    for (std::uint64_t fold = 0; fold < spec_.validation.folds; ++fold)
      AddSearch(SizedFold(search, fold, spec_, entry_, combination_.batch), candidate);
  }

  void AddSearch(Trial trial, Candidate& candidate) {
    SetCost(trial, data_);
    trial.id = TrialId(TrialIdentity(trial));
    candidate.ids.push_back(trial.id);
    candidate.files.push_back(trial.FileName());
    trials_.push_back(std::move(trial));
  }

  const Spec& spec_;
  const PlannedData& data_;
  const Combination& combination_;
  const LearnerEntry& entry_;
  std::vector<Trial>& trials_;
};

// Memory of a planned trial, measured on a grid of 10^6 points.
constexpr double kTrialBytes = 2200;

// Throws SpecError if the plan does not fit into memory. Runs before any list of trials is made.
void RequireMemory(const Spec& spec) {
  const double trials = CountTrials(spec), limit = static_cast<double>(MemoryLimit());
  if (trials * kTrialBytes <= limit) return;
  throw SpecError(
      fmt::format("{}: plans {:.0f} trials, which need {:.1f} GB of memory; the limit is {:.1f} GB",
                  spec.path, trials, trials * kTrialBytes / 1e9, limit / 1e9));
}

// Throws SpecError if a measure fits none of the trials. A trial leaves out the measures that do not fit it.
void RequireMeasures(const Spec& spec, const std::vector<Trial>& plan) {
  for (const MeasureRequest& request : spec.measures) {
    std::string unfit;
    const bool fits = std::any_of(plan.begin(), plan.end(), [&](const Trial& trial) {
      if (trial.fold()) return false;
      const PredictionMeasureInfo& measure = FindPredictionMeasure(request.measure);
      const bool on_test = !trial.data->test_part.empty() && request.window == 0 && !measure.sequential;
      unfit = UnfitFor(measure, trial.scores);
      if (trial.info->protocol != Protocol::kStream && !on_test)
        unfit = request.Name() + " needs a stream; learners in rounds are measured on data.test only";
      return unfit.empty();
    });
    if (!fits) throw SpecError(spec.path + ": measures.names: " + unfit);
  }
  if (spec.reaction > 0 &&
      std::all_of(plan.begin(), plan.end(), [](const Trial& trial) { return trial.changes.empty(); }))
    throw SpecError(
        spec.path +
        ": measures.reaction: no stream has known changes; it needs data.order = \"file\" and data "
        "with change points");
}

// Throws SpecError if two trials have the same trace file, or the same name, which has six digits of values.
void RequireDistinct(const Spec& spec, const std::vector<Trial>& plan) {
  std::vector<const Trial*> sorted;
  for (const Trial& trial : plan) sorted.push_back(&trial);
  const auto key = [](const Trial* trial) { return std::tie(trial->id, trial->learner_key); };
  tbb::parallel_sort(sorted.begin(), sorted.end(),
                     [&](const Trial* a, const Trial* b) { return key(a) < key(b); });
  const auto same = std::adjacent_find(sorted.begin(), sorted.end(),
                                       [&](const Trial* a, const Trial* b) { return key(a) == key(b); });
  if (same != sorted.end())
    throw SpecError(spec.path + ": the plan contains " + (*same)->Name() +
                    " twice; a list contains the same value twice");
  std::vector<std::pair<std::size_t, const Trial*>> names;  // hashes, which take less memory
  for (const Trial& trial : plan) names.emplace_back(std::hash<std::string>()(trial.Name()), &trial);
  tbb::parallel_sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end(),
                                        [](const auto& a, const auto& b) { return a.first == b.first; });
  if (twice != names.end())
    throw SpecError(spec.path + ": two trials have the name " + twice->second->Name() +
                    ", which shows six digits; values of a list must differ in them");
}

}  // namespace

std::vector<Trial> MakePlan(const Spec& spec, const Catalog& catalog, const DataFolders& folders) {
  RequireMemory(spec);
  std::vector<Trial> plan;
  plan.reserve(static_cast<std::size_t>(CountTrials(spec)));
  for (const std::string& name : spec.data.names) {
    const PlannedData data = PlanDataOf(spec, name, catalog, folders);
    ForEachCombination(spec, [&](const Combination& combination) {
      try {
        CombinationPlan(spec, data, combination, plan).AddTrials();
      } catch (const InvalidArgument& error) {
        throw SpecError(spec.path + ": learner '" + combination.entry->key + "': " + error.what());
      }
    });
  }
  RequireMeasures(spec, plan);
  RequireDistinct(spec, plan);
  return plan;
}

}  // namespace okbench
