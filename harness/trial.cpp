#include "harness/trial.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

#include "datasets/error.h"
#include "datasets/stream.h"
#include "harness/error.h"
#include "harness/provenance.h"
#include "learners/core/error.h"

namespace okbench {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Interruption and time are looked at every so many steps.
constexpr std::uint64_t kStepsBetweenLooks = 32;

// Collects the columns of the trace table while the stream runs.
class Recorder {
 public:
  Recorder(const Trial& trial, const std::vector<std::string>& learner_columns)
      : steps_(trial.examples, trial.trace.dense, trial.trace.per_decade, trial.trace.from_end),
        examples_(trial.examples),
        learner_(learner_columns.size()),
        names_(learner_columns),
        report_(learner_columns.size()) {}

  void Step(std::uint64_t t, std::uint32_t example, const StepOutcome& outcome, const Learner& learner) {
    mistakes_ += outcome.mistake ? 1 : 0;
    margin_errors_ += outcome.margin_error ? 1 : 0;
    loss_sum_ += outcome.loss;
    if (steps_.Contains(t)) Record(t, example, outcome.loss, learner);
  }

  // A round of a batch method: its counts are over the whole training set. Every round is recorded.
  void Round(std::uint64_t round, const BatchOutcome& outcome, const Learner& learner) {
    mistakes_ = static_cast<std::int64_t>(outcome.mistakes);
    margin_errors_ = static_cast<std::int64_t>(outcome.margin_errors);
    loss_sum_ = outcome.mean_loss * static_cast<double>(examples_);
    Record(round, 0, outcome.mean_loss, learner);
  }

  Table Finish() {
    static const char* const kNames[] = {"step",           "example",         "mistakes",
                                         "margin_errors",  "support_vectors", "kernel_requested",
                                         "kernel_computed"};
    Table table{.name = "trace", .columns = {}};
    for (std::size_t c = 0; c < whole_.size(); ++c)
      table.columns.push_back({kNames[c], c != 6, std::move(whole_[c])});
    table.columns.push_back({"loss", true, std::move(loss_)});
    table.columns.push_back({"loss_sum", true, std::move(loss_sums_)});
    for (std::size_t c = 0; c < learner_.size(); ++c)
      table.columns.push_back({names_[c], true, std::move(learner_[c])});
    return table;
  }

  std::int64_t mistakes() const { return mistakes_; }
  std::int64_t margin_errors() const { return margin_errors_; }
  double loss_sum() const { return loss_sum_; }

 private:
  void Record(std::uint64_t t, std::uint32_t example, double loss, const Learner& learner) {
    const KernelCounts& counts = learner.counts();
    const auto put = [this](std::size_t column, std::uint64_t value) {
      whole_[column].push_back(static_cast<std::int64_t>(value));
    };
    put(0, t);
    put(1, example);
    whole_[2].push_back(mistakes_);
    whole_[3].push_back(margin_errors_);
    put(4, learner.support_vectors());
    put(5, counts.requested);
    put(6, counts.computed);
    loss_.push_back(loss);
    loss_sums_.push_back(loss_sum_);
    learner.Report(report_);
    for (std::size_t c = 0; c < learner_.size(); ++c) learner_[c].push_back(report_[c]);
  }

  RecordedSteps steps_;
  std::uint64_t examples_;
  std::array<std::vector<std::int64_t>, 7> whole_;
  std::vector<double> loss_, loss_sums_;
  std::vector<std::vector<double>> learner_;
  std::vector<std::string> names_;
  std::vector<double> report_;
  std::int64_t mistakes_ = 0, margin_errors_ = 0;
  double loss_sum_ = 0;
};

// Time of learning, and when to give up.
struct Watch {
  Watch(const StopToken& token, std::uint64_t steps) : stop(token), all_steps(steps) {}
  double LearningSeconds() const { return SecondsSince(start) - test_seconds; }
  // Throws Interrupted or TrialFailure; `t` steps are done.
  void Look(std::uint64_t t) const {
    if (stop.steps != nullptr) stop.steps->store(t, std::memory_order_relaxed);
    if (stop.interrupted != nullptr && stop.interrupted->load(std::memory_order_relaxed)) throw Interrupted();
    if (stop.timeout_seconds > 0 && LearningSeconds() > stop.timeout_seconds)
      throw TrialFailure("timeout", "stopped after " + std::to_string(stop.timeout_seconds) + " s at step " +
                                        std::to_string(t) + " of " + std::to_string(all_steps));
  }

  const StopToken& stop;
  const std::uint64_t all_steps;
  const Clock::time_point start = Clock::now();
  double test_seconds = 0;
};

// Test errors at the checkpoints.
class Checkpoints {
 public:
  Checkpoints(std::uint64_t steps, std::uint64_t count) : steps_(steps), count_(count) {}

  bool Due(std::uint64_t t) const { return t * count_ / steps_ != (t - 1) * count_ / steps_; }

  void Measure(std::uint64_t t, Learner& learner) {
    const TestOutcome outcome = learner.Test();
    step_.push_back(static_cast<std::int64_t>(t));
    mistakes_.push_back(static_cast<std::int64_t>(outcome.mistakes));
    evaluation_.push_back(static_cast<std::int64_t>(learner.counts().evaluation));
    error_ = static_cast<double>(outcome.mistakes) / static_cast<double>(outcome.examples);
    errors_.push_back(error_);
  }

  double error() const { return error_; }
  Table Finish() {
    return {.name = "checkpoints",
            .columns = {{"step", true, std::move(step_)},
                        {"test_mistakes", true, std::move(mistakes_)},
                        {"kernel_evaluation", true, std::move(evaluation_)},
                        {"test_error", true, std::move(errors_)}}};
  }

 private:
  std::uint64_t steps_, count_;
  std::vector<std::int64_t> step_, mistakes_, evaluation_;
  std::vector<double> errors_;
  double error_ = 0;
};

DataRequest TestRequest(const Trial& trial) {
  DataRequest request = trial.data.train;
  request.part = trial.data.test_part;
  return request;
}

template <class T>
Trace Run(const Trial& trial, DataCache& data, const StopToken& stop, std::size_t tile) {
  const std::string started = UtcNow();
  const Clock::time_point load_start = Clock::now();
  const auto train = data.Get<T>(trial.data.train);
  std::shared_ptr<const Examples<T>> test;
  if (!trial.data.test_part.empty()) test = data.Get<T>(TestRequest(trial));
  const auto stream = MakeStream(trial.data.stream, train->labels(), trial.StreamSeed());
  const double load_seconds = SecondsSince(load_start);

  Watch watch(stop, stream.size());
  const auto learner = trial.info->Make(
      trial.parameters,
      LearnerContext<T>{.train = train.get(), .test = test.get(), .kernel = trial.kernel, .tile = tile});
  learner->Announce(stream);
  Recorder recorder(trial, learner->Columns());
  Checkpoints checkpoints(stream.size(), trial.trace.checkpoints);
  const auto measure = [&](std::uint64_t t) {
    if (!test) return;
    const Clock::time_point before = Clock::now();
    checkpoints.Measure(t, *learner);
    watch.test_seconds += SecondsSince(before);
  };
  if (learner->batch()) {
    BatchOutcome outcome;
    for (std::uint64_t round = 1; !outcome.finished; ++round) {
      watch.Look(0);
      outcome = learner->Round();
      if (!std::isfinite(outcome.mean_loss))
        throw TrialFailure("diverged", "the loss is not finite in round " + std::to_string(round));
      recorder.Round(round, outcome, *learner);
    }
    if (!outcome.converged)
      throw TrialFailure("not-converged", "the solver stopped at a limit before it reached its tolerance");
    measure(stream.size());
  } else {
    for (std::uint64_t t = 1; t <= stream.size(); ++t) {
      if (t % kStepsBetweenLooks == 0) watch.Look(t);
      const StepOutcome outcome = learner->Step(stream[t - 1]);
      if (!std::isfinite(outcome.loss))
        throw TrialFailure("diverged",
                           "the loss is not finite at step " + std::to_string(t) + ": the learner diverged");
      recorder.Step(t, stream[t - 1], outcome, *learner);
      if (checkpoints.Due(t)) measure(t);
    }
  }
  const double wall_seconds = watch.LearningSeconds();

  Trace trace;
  trace.trial_id = trial.id;
  trace.spec = trial.canonical;
  const KernelCounts& counts = learner->counts();
  trace.summary = {
      {"examples", stream.size()},
      {"mistakes", recorder.mistakes()},
      {"error_rate", static_cast<double>(recorder.mistakes()) / static_cast<double>(stream.size())},
      {"margin_errors", recorder.margin_errors()},
      {"mean_loss", recorder.loss_sum() / static_cast<double>(stream.size())},
      {"support_vectors", learner->support_vectors()},
      {"test_error", test ? nlohmann::json(checkpoints.error()) : nlohmann::json()},
      {"kernel_evaluations",
       {{"requested", counts.requested}, {"computed", counts.computed}, {"evaluation", counts.evaluation}}}};
  trace.tables.push_back(recorder.Finish());
  if (test) trace.tables.push_back(checkpoints.Finish());
  trace.provenance = BuildProvenance();
  trace.provenance["label"] = trial.label;
  trace.provenance["learner_key"] = trial.learner_key;
  trace.provenance["grid_point"] = trial.grid_point;
  trace.provenance["stand_in"] = trial.stand_in;
  trace.provenance["data_shape"] = {{"train", train->size()},
                                    {"test", test ? test->size() : 0},
                                    {"features", train->features()},
                                    {"classes", train->classes()}};
  trace.provenance["kernel"] = trial.kernel.Describe();
  trace.provenance["start_time"] = started;
  trace.provenance["wall_seconds"] = wall_seconds;
  trace.provenance["test_seconds"] = watch.test_seconds;
  trace.provenance["load_seconds"] = load_seconds;
  trace.provenance["tile"] = tile;
  return trace;
}

// Everything about a request that decides its rows.
std::string Key(const DataRequest& r) {
  std::string key = r.name + "|" + r.part + "|" + (r.unit_norm ? "u" : "") + (r.force_stand_in ? "s" : "") +
                    "|" + std::to_string(r.rows) + "|";
  if (r.rescale) key += fmt::format("{}:{}", r.scale_low, r.scale_high);  // exact, shortest texts
  for (const int c : r.positive) key += "," + std::to_string(c);
  return key;
}

std::vector<std::string> Keys(const Trial& trial) {
  std::vector<std::string> keys = {Key(trial.data.train)};
  if (!trial.data.test_part.empty()) keys.push_back(Key(TestRequest(trial)));
  return keys;
}

}  // namespace

template <>
std::map<std::string, std::shared_ptr<DataCache::Slot<float>>>& DataCache::Slots<float>() {
  return float_slots_;
}
template <>
std::map<std::string, std::shared_ptr<DataCache::Slot<double>>>& DataCache::Slots<double>() {
  return double_slots_;
}

template <class T>
std::shared_ptr<const Examples<T>> DataCache::Get(const DataRequest& request) {
  std::shared_ptr<Slot<T>> slot;
  {
    const std::lock_guard lock(mutex_);
    auto& entry = Slots<T>()[Key(request)];
    if (!entry) entry = std::make_shared<Slot<T>>();
    slot = entry;
  }
  // Two trials that want the same set wait for one load; different sets load side by side.
  const std::lock_guard lock(slot->mutex);
  if (!slot->examples)
    slot->examples =
        std::make_shared<const Examples<T>>(Load<T>(catalog_.Find(request.name), request, folders_));
  return slot->examples;
}

void DataCache::Expect(const Trial& trial) {
  const std::lock_guard lock(mutex_);
  for (const auto& key : Keys(trial)) ++expected_[key];
}

void DataCache::Done(const Trial& trial) {
  const std::lock_guard lock(mutex_);
  for (const auto& key : Keys(trial)) {
    if (--expected_[key] > 0) continue;
    float_slots_.erase(key);
    double_slots_.erase(key);
  }
}

template std::shared_ptr<const Examples<float>> DataCache::Get<float>(const DataRequest&);
template std::shared_ptr<const Examples<double>> DataCache::Get<double>(const DataRequest&);

Trace RunTrial(const Trial& trial, DataCache& data, const StopToken& stop, std::size_t tile) {
  try {
    return trial.double_precision ? Run<double>(trial, data, stop, tile)
                                  : Run<float>(trial, data, stop, tile);
  } catch (const DataError& error) {
    throw TrialFailure("data", error.what());
  } catch (const InvalidArgument& error) {
    throw TrialFailure("argument", error.what());
  } catch (const std::bad_alloc&) {
    throw TrialFailure("memory", "not enough memory for this trial");
  }
}

}  // namespace okbench
