#include "harness/plan/plan.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "datasets/sha256.h"
#include "harness/plan/canonical.h"
#include "harness/plan/label_kinds.h"
#include "harness/spec/label_trees.h"
#include "learners/core/error.h"

namespace okbench {
namespace {

using nlohmann::json;

// A combination of one value per axis.
using Point = std::map<std::string, GivenValue>;

// Every combination, the last axis fastest.
std::vector<Point> Points(const std::vector<Axis>& axes) {
  std::vector<Point> points = {{}};
  for (const Axis& axis : axes) {
    std::vector<Point> longer;
    for (const auto& point : points)
      for (const auto& value : axis.values) {
        longer.push_back(point);
        longer.back()[axis.name] = value;
      }
    points = std::move(longer);
  }
  return points;
}

ParameterValue Value(const GivenValue& given, std::uint64_t n) {
  if (!given.divide_by_n) return given.value;
  return std::get<double>(given.value) / static_cast<double>(n);
}

ParameterValues Resolve(const Spec& spec, const LearnerEntry& entry, const Point& point, std::uint64_t n) {
  std::map<std::string, ParameterValue> values;
  for (const auto& [name, given] : point)
    if (!name.starts_with(kKernelAxis)) values[name] = Value(given, n);
  for (const auto& [name, given] : entry.given) values[name] = Value(given, n);
  try {
    return ParameterValues::Resolve(entry.info->parameters, values);
  } catch (const InvalidArgument& error) {
    throw SpecError(spec.path + ": learner '" + entry.key + "': " + error.what());
  }
}

// With the values of the point that are the kernel's.
Kernel KernelAt(Kernel kernel, const Point& point) {
  for (const auto& [name, given] : point)
    if (name.starts_with(kKernelAxis)) kernel = WithValue(kernel, name, given.value);
  return kernel;
}

// "lambda=0.95,buffer=256"
std::string PointText(const std::vector<Axis>& axes, const Point& point, std::uint64_t n) {
  std::string text;
  for (const Axis& axis : axes)
    text += (text.empty() ? "" : ",") + axis.name + "=" + ToText(Value(point.at(axis.name), n));
  return text;
}

std::string Joined(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + "," + b;
}

// One data set of a spec: its trials, in the order of learners, grid points and repetitions.
class DataSetPlan {
 public:
  DataSetPlan(const Spec& spec, const std::string& name, const Catalog& catalog, const DataFolders& folders)
      : spec_(spec) {
    const DataSet& set = catalog.Find(name);
    features_ = set.AboutFeatures();
    entries_ = set.AboutEntries();
    by_class_ = set.by_class;
    labels_ = set.kind == LabelKind::kMulticlass && !spec.data.train.positive.empty() ? LabelKind::kBinary
                                                                                      : set.kind;
    outputs_ = labels_ == LabelKind::kMulticlass ? set.labels.size() : 1;
    if (const auto& [table, options] = spec.data.outputs; table != nullptr) {
      candidates_ = table->candidates(*options);
      candidate_bytes_ = table->candidate_bytes(candidates_, spec.kernel.kernel);
    }
    base_.experiment = spec.experiment;
    base_.seed = spec.seed;
    base_.data = spec.data;
    base_.data.train.name = name;
    base_.kernel = spec.kernel.kernel;
    if (spec.kernel.gammas.contains(name)) base_.kernel.gamma = spec.kernel.gammas.at(name);
    for (const KernelTerm& term : base_.kernel.terms)
      if (set.features > 0 && term.first + term.count > set.features)
        throw SpecError(spec.path + ": kernel.terms has features " + std::to_string(term.first) + " to " +
                        std::to_string(term.first + term.count - 1) + ", but '" + name + "' has " +
                        std::to_string(set.features) + ", counted from 0");
    base_.trace = spec.trace;
    base_.validation = spec.validation;
    base_.double_precision = spec.double_precision;
    if (spec.data.names.size() > 1) base_.grid_point = "data=" + name;
    PlanRows(set, folders);
  }

  std::vector<Trial> Trials() {
    for (const Point& point : Points(spec_.kernel.grid)) AddKernel(point);
    return std::move(plan_);
  }

 private:
  // All learners with one kernel.
  void AddKernel(const Point& kernel) {
    Trial of_kernel = base_;
    of_kernel.kernel = KernelAt(base_.kernel, kernel);
    of_kernel.grid_point = Joined(base_.grid_point, PointText(spec_.kernel.grid, kernel, 1));
    for (const auto& [name, given] : kernel)
      of_kernel.kernel_point[name.substr(std::string(kKernelAxis).size())] = ToJson(given.value);
    for (const LearnerEntry& entry : spec_.learners) {
      Trial trial = of_kernel;
      trial.learner_key = entry.key;
      trial.label = entry.label;
      trial.info = entry.info;
      for (const ParameterValue& batch : BatchesFor(entry)) {
        Size(trial, entry, batch);
        trial.grid_point = of_kernel.grid_point;
        if (spec_.data.batches.size() > 1)
          trial.grid_point = Joined(trial.grid_point, "batch=" + ToText(batch));
        for (const Point& point : Points(entry.grid)) Add(trial, entry, point, batch);
      }
    }
  }

  void PlanRows(const DataSet& set, const DataFolders& folders) {
    DataRequest test = base_.data.train;
    test.part = spec_.data.test_part;
    const auto plan = [&] {
      base_.train_plan = PlanData(set, base_.data.train, folders);
      std::size_t& rows = base_.train_plan.rows;
      rows = std::min<std::size_t>(rows, base_.data.train.sample.value_or(rows));
      if (!test.part.empty()) base_.test_plan = PlanData(set, test, folders);
      base_.synthetic = base_.train_plan.synthetic || base_.test_plan.synthetic;
    };
    try {
      if (spec_.data.tree)
        base_.tree = std::make_shared<const LabelTree>(MakeLabelTree(set, *spec_.data.tree));
      plan();
      if (!base_.synthetic || base_.data.train.force_synthetic) return;
      // Never real rows on one side and generated ones on the other.
      base_.data.train.force_synthetic = test.force_synthetic = true;
      plan();
    } catch (const DataError& error) {
      throw SpecError(spec_.path + ": " + error.what());
    }
  }

  [[noreturn]] void Fail(const LearnerEntry& entry, const std::string& cause) const {
    throw SpecError(spec_.path + ": learner '" + entry.key + "' " + cause);
  }

  // Before anything runs, with what to write to mend it.
  void RequireLabels(const Trial& trial) const {
    try {
      RequireLabelsFor(*trial.info, trial.parameters, labels_);
    } catch (const InvalidArgument& error) {
      throw SpecError(spec_.path + ": learner '" + trial.learner_key + "': " + error.what() + " ('" +
                      base_.data.train.name + "'); " +
                      MendingLabels(*trial.info, labels_, !spec_.data.train.positive.empty()));
    }
  }

  // How many examples the trial shows, under its learner's protocol.
  void Size(Trial& trial, const LearnerEntry& entry, const ParameterValue& batch) const {
    const StreamSpec& stream = spec_.data.stream;
    if (by_class_ && stream.limit > 0 && (trial.rounds() || stream.order == Order::kFile))
      Fail(
          entry,
          "would see the first rows of '" + base_.data.train.name +
              "' alone, whose rows stand class by class; in place of data.limit, data.sample draws from all");
    const std::uint64_t rows = base_.train_plan.rows;
    if (!trial.rounds()) {
      if (stream.order == Order::kSliding)
        Fail(entry, "takes one example at a time; data.order 'sliding' is for mini-batches");
      if (entry.info->protocol == Protocol::kSolver &&
          (stream.epochs != 1 || stream.order == Order::kUniform))
        Fail(entry, "is a batch method; data.epochs must be 1, and data.order not uniform");
      if (stream.order == Order::kPermutation && stream.epochs > 1 && stream.limit > 0 && stream.limit < rows)
        Fail(entry,
             "would see other rows in every epoch: data.limit cuts each new permutation short; data.sample "
             "draws rows once");
      trial.examples = StreamLength(stream, rows);
      trial.training = trial.examples / stream.epochs;
      return;
    }
    if (IsCounting(stream.order)) Fail(entry, "learns in rounds; the counting sequence is for streams");
    if (stream.order == Order::kSliding && trial.info->protocol != Protocol::kMiniBatches)
      Fail(entry,
           "selects its examples itself; data.order 'sliding' is for methods that are shown mini-batches");
    trial.data.train.first = stream.limit;
    trial.training = stream.limit > 0 ? std::min(stream.limit, rows) : rows;
    SizeBatch(trial, entry, batch);
  }

  // The batch sizes that matter to a learner; 0 where none does.
  std::vector<ParameterValue> BatchesFor(const LearnerEntry& entry) const {
    const Protocol protocol = entry.info->protocol;
    if (protocol != Protocol::kMiniBatches && protocol != Protocol::kSelection) return {std::int64_t{0}};
    if (protocol == Protocol::kMiniBatches && spec_.data.batches.empty())
      Fail(entry, "learns from mini-batches; data.batch must say how large they are");
    if (spec_.data.batches.empty()) return {std::int64_t{0}};
    return spec_.data.batches;
  }

  void SizeBatch(Trial& trial, const LearnerEntry& entry, const ParameterValue& batch) const {
    const StreamSpec& stream = trial.data.stream;
    if (const auto* share = std::get_if<double>(&batch))
      trial.batch = std::max<std::uint64_t>(
          1, static_cast<std::uint64_t>(std::llround(*share * static_cast<double>(trial.training))));
    else
      trial.batch = static_cast<std::uint64_t>(std::get<std::int64_t>(batch));
    if (trial.batch > trial.training)
      Fail(entry, "cannot draw mini-batches of " + std::to_string(trial.batch) + " (data.batch) from " +
                      std::to_string(trial.training) + " training examples of " + trial.data.train.name);
    trial.examples = stream.epochs * trial.training;
    if (entry.info->protocol != Protocol::kMiniBatches) return;
    trial.examples = BatchesLength(stream, trial.training, trial.batch);
  }

  void Add(Trial trial, const LearnerEntry& entry, const Point& point, const ParameterValue& batch) {
    const std::uint64_t n = trial.training;
    trial.grid_point = Joined(trial.grid_point, PointText(entry.grid, point, n));
    std::vector<Axis> tune = entry.tune;
    tune.insert(tune.end(), spec_.kernel.tune.begin(), spec_.kernel.tune.end());
    const std::vector<Point> tuned = Points(tune);
    for (const Point& values : tuned) {
      Point all = point;
      all.insert(values.begin(), values.end());
      Candidate candidate{.parameters = Resolve(spec_, entry, all, n),
                          .kernel = KernelAt(trial.kernel, values),
                          .values = json::object(),
                          .text = {},
                          .ids = {},
                          .files = {}};
      for (const auto& [name, given] : values) candidate.values[name] = ToJson(Value(given, n));
      candidate.text = PointText(tune, values, n);
      if (tuned.size() > 1 && !OnPrefixes(entry)) AddFolds(trial, entry, batch, candidate);
      trial.candidates.push_back(std::move(candidate));
    }
    trial.parameters = trial.candidates.front().parameters;
    trial.kernel = trial.candidates.front().kernel;
    RequireLabels(trial);
    // A single value needs no choice.
    if (tuned.size() == 1) trial.candidates.clear();
    for (std::uint64_t r = 0; r < spec_.repetitions; ++r) {
      trial.repetition = r;
      if (OnPrefixes(entry)) AddPrefixes(trial, entry);
      Finish(trial);
    }
  }

  // Streams have no training set to deal out: their parameters are chosen on how they begin.
  static bool OnPrefixes(const LearnerEntry& entry) { return entry.info->protocol == Protocol::kStream; }

  // What trials of a search have in common: only how they end is recorded.
  static Trial SearchTrial(const Trial& of, const Candidate& candidate) {
    Trial trial = of;
    trial.candidates.clear();
    trial.validation = {};
    trial.parameters = candidate.parameters;
    trial.kernel = candidate.kernel;
    trial.grid_point = Joined(of.grid_point, candidate.text);
    trial.trace = {.dense = 0, .per_decade = 1, .from_end = {}, .checkpoints = 1, .rounds = {}};
    return trial;
  }

  // One trial a candidate of this repetition, on the first examples of its stream.
  void AddPrefixes(Trial& of, const LearnerEntry& entry) {
    if (!of.candidates.empty() && IsCounting(of.data.stream.order))
      Fail(entry, "cannot be tuned on the beginning of the counting sequence");
    if (!of.candidates.empty() && by_class_ && of.data.stream.order == Order::kFile)
      Fail(entry, "would be tuned on the first rows of '" + of.data.train.name +
                      "' alone, whose rows stand class by class; order = \"permutation\" mixes them");
    for (Candidate& candidate : of.candidates) {
      Trial trial = SearchTrial(of, candidate);
      trial.prefix = true;
      trial.data.stream.epochs = 1;
      trial.data.stream.limit = trial.examples = trial.training = of.PrefixLength();
      trial.data.test_part.clear();
      trial.test_plan = {};
      Finish(trial);
      candidate.ids = {plan_.back().id};
      candidate.files = {plan_.back().FileName()};
    }
  }

  // The folds of one candidate.
  void AddFolds(const Trial& of, const LearnerEntry& entry, const ParameterValue& batch,
                Candidate& candidate) {
    if (spec_.validation.folds > of.training)
      Fail(entry, "cannot be tuned on " + std::to_string(spec_.validation.folds) + " folds of " +
                      std::to_string(of.training) + " training examples");
    Trial trial = SearchTrial(of, candidate);
    const Validation& validation = spec_.validation;
    if (validation.epochs > 0) trial.data.stream.epochs = validation.epochs;
    if (validation.tolerance) {
      if (!trial.rounds()) Fail(entry, "learns no rounds, whose folds cross_validation.tolerance could end");
      trial.trace.tolerance = validation.tolerance;
      trial.trace.checkpoints = trial.data.stream.epochs;
    }
    trial.data.test_part = trial.data.train.part;
    trial.test_plan = trial.train_plan;
    for (std::uint64_t fold = 0; fold < spec_.validation.folds; ++fold) {
      trial.data.train.fold = Fold{.folds = spec_.validation.folds, .fold = fold};
      trial.training =
          of.training - (of.training + spec_.validation.folds - 1 - fold) / spec_.validation.folds;
      SizeBatch(trial, entry, batch);
      Finish(trial);
      candidate.ids.push_back(plan_.back().id);
      candidate.files.push_back(plan_.back().FileName());
    }
  }

  void Finish(Trial trial) {
    const std::uint64_t value_bytes = trial.double_precision ? sizeof(double) : sizeof(float);
    trial.workload = {
        .examples = trial.examples,
        // Streams have no training set: for them it is the part that they are drawn from.
        .training = trial.info->protocol == Protocol::kStream ? trial.train_plan.rows : trial.training,
        .batch = trial.batch,
        .outputs = outputs_,
        .candidates = candidates_,
        .candidate_bytes = candidate_bytes_,
        .entries = static_cast<double>(entries_),
        .row_bytes = features_ * value_bytes,
        .value_bytes = value_bytes};
    try {
      trial.cost = trial.info->cost_model(trial.parameters, trial.workload);
    } catch (const InvalidArgument& error) {
      throw SpecError(spec_.path + ": learner '" + trial.learner_key + "': " + error.what());
    }
    trial.canonical = Canonical(trial);
    trial.id = Sha256Hex(trial.canonical.dump()).substr(0, 16);
    plan_.push_back(std::move(trial));
  }

  const Spec& spec_;
  std::size_t features_ = 0, entries_ = 0, outputs_ = 1, candidates_ = 0, candidate_bytes_ = 0;
  bool by_class_ = false;
  LabelKind labels_ = LabelKind::kBinary;
  Trial base_;
  std::vector<Trial> plan_;
};

}  // namespace

std::vector<Trial> MakePlan(const Spec& spec, const Catalog& catalog, const DataFolders& folders) {
  std::vector<Trial> plan;
  for (const std::string& name : spec.data.names)
    for (Trial& trial : DataSetPlan(spec, name, catalog, folders).Trials()) plan.push_back(std::move(trial));
  std::set<std::string> files;
  for (const Trial& trial : plan)
    if (!files.insert(trial.FileName()).second)
      throw SpecError(spec.path + ": " + trial.Name() +
                      " is in the plan twice; two values of a list come to the same");
  return plan;
}

}  // namespace okbench
