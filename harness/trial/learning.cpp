#include "harness/trial/learning.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/system/error.h"
#include "harness/system/memory.h"
#include "learners/api/asks_oracle.h"
#include "learners/api/learns_elsewhere.h"
#include "learners/api/uses_features.h"
#include "learners/core/error.h"

namespace okbench {
namespace {

double SecondsBetween(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// Interruption and time are looked at every so many steps.
constexpr std::uint64_t kStepsBetweenChecks = 32;

void RequireFinite(double loss, const char* where, std::uint64_t t) {
  if (!std::isfinite(loss))
    throw TrialFailure("diverged",
                       "the loss is not finite " + (where + std::to_string(t)) + ": the learner diverged");
}

nlohmann::json OrNull(bool there, double value) { return there ? nlohmann::json(value) : nlohmann::json(); }

}  // namespace

double LearningClock::Seconds() const { return SecondsBetween(start_, Clock::now()) - beside_ - elsewhere_; }

void LearningClock::Check(std::uint64_t t) const {
  RequireMemory();
  if (stop_.steps != nullptr) stop_.steps->store(t, std::memory_order_relaxed);
  if (stop_.interrupted != nullptr && stop_.interrupted->load(std::memory_order_relaxed)) throw Interrupted();
  if (stop_.poll && stop_.poll()) throw Interrupted();
  if (stop_.timeout_seconds > 0 && Seconds() > stop_.timeout_seconds)
    throw TrialFailure("timeout", "stopped after " + std::to_string(stop_.timeout_seconds) + " s at step " +
                                      std::to_string(t) + " of " + std::to_string(all_steps_));
}

double LearningClock::Go() {
  const double seconds = SecondsBetween(stopped_, Clock::now());
  beside_ += seconds;
  return seconds;
}

void LearningClock::TellLoaded() const {
  if (stop_.loaded != nullptr) stop_.loaded->store(true, std::memory_order_relaxed);
}

template <class T>
Learning<T>::Learning(const Trial& trial, const Examples<T>& train, const Examples<T>* test,
                      const StopToken& stop, std::size_t tile, bool open, KernelShare* share)
    : trial_(trial),
      train_(train),
      test_(test),
      clock_(stop, trial.examples),
      share_(share),
      learner_(trial.info->Make(trial.parameters,
                                LearnerContext<T>{.train = &train,
                                                  .test = test,
                                                  .kernel = trial.kernel,
                                                  .tree = trial.tree.get(),
                                                  .boxes = trial.data.boxes.value_or(BoxOptions{}),
                                                  .tile = tile,
                                                  .batch = trial.batch,
                                                  .seed = trial.SelectionSeed(),
                                                  .steps = trial.examples < kEndless ? trial.examples : 0,
                                                  .open = open})),
      recorder_(trial, learner_->Columns(), [this] { return clock_.Seconds(); }),
      regression_(train.label_kind() == LabelKind::kReal ? std::make_optional<RegressionRecorder<T>>(train)
                                                         : std::nullopt),
      outliers_(trial.info->ranks_examples ? trial.trace.listed : 0),
      checkpoints_(trial, test != nullptr, trial.trace.training && trial.info->measures_training,
                   train.label_kind() == LabelKind::kReal) {}

template <class T>
void Learning<T>::Run() {
  clock_.TellLoaded();
  switch (trial_.info->protocol) {
    case Protocol::kStream:
      return RunStream(As<StreamLearner>());
    case Protocol::kSolver:
      return RunSolver(As<SolverLearner>());
    case Protocol::kMiniBatches:
    case Protocol::kSelection:
      return RunRounds(As<RoundLearner>());
  }
}

template <class T>
std::vector<std::uint32_t> Learning<T>::Stream() const {
  return MakeStream(trial_.data.stream, train_.labels(), trial_.StreamSeed());
}

// `number` is the example's in the whole stream.
template <class T>
void Learning<T>::Step(StreamLearner& learner, std::uint32_t example, std::uint64_t number) {
  const std::uint64_t t = ++t_;
  if (t % kStepsBetweenChecks == 0) clock_.Check(t);
  const StepOutcome outcome = learner.Step(example);
  RequireFinite(outcome.loss, "at step ", t);
  recorder_.Step(t, number, outcome, *learner_);
  if (regression_) regression_->Step(example, outcome.prediction, recorder_.recorded());
  outliers_.Step(t, example, outcome);
  if (checkpoints_.Due(t - 1, t)) Measure(t, recorder_.processed());
}

template <class T>
void Learning<T>::RunStream(StreamLearner& learner) {
  const auto stream = Stream();
  learner.Announce(stream);
  for (const std::uint32_t example : stream) Step(learner, example, example);
  if (!outliers_.empty()) outliers_.Rank(stream, train_, test_, As<RanksExamples>());
}

template <class T>
void Learning<T>::RunSolver(SolverLearner& learner) {
  const auto stream = Stream();
  learner.Announce(stream);
  RoundOutcome outcome;
  while (!outcome.finished) {
    ++t_;
    clock_.Check(0);
    outcome = learner.Round();
    TellElsewhere();
    RequireFinite(outcome.mean_loss, "in round ", t_);
    recorder_.Round(t_, outcome, outcome.finished, *learner_);
  }
  if (!outcome.converged)
    throw TrialFailure("not-converged", "the solver stopped at a limit before it reached its tolerance");
  Measure(stream.size(), recorder_.processed());
  if (!outliers_.empty()) outliers_.Rank(stream, train_, test_, As<RanksExamples>());
}

// The next round, checked.
template <class T>
RoundOutcome Learning<T>::Round(RoundLearner& learner, std::span<const std::uint32_t> batch) {
  ++t_;
  clock_.Check(recorder_.processed());
  const RoundOutcome outcome = learner.Round(batch);
  TellElsewhere();
  RequireFinite(outcome.mean_loss, "in round ", t_);
  RequireExamples(outcome, batch.size());
  return outcome;
}

template <class T>
void Learning<T>::RunRounds(RoundLearner& learner) {
  const bool draws = trial_.info->protocol == Protocol::kMiniBatches;
  Batches batches;
  if (draws) batches = MakeBatches(trial_.data.stream, trial_.training, trial_.batch, trial_.StreamSeed());
  bool last = false;
  while (!last) {
    const std::uint64_t before = recorder_.processed();
    const RoundOutcome outcome = Round(learner, draws ? batches[t_] : std::span<const std::uint32_t>());
    const std::uint64_t after = before + outcome.examples;
    last = outcome.finished || after >= trial_.examples;
    while (last && !learner.Finish()) clock_.Check(after);
    if (last || checkpoints_.Due(before, after) || checkpoints_.DueAfter(t_)) {
      Measure(t_, after);
      if (!last && trial_.trace.until && checkpoints_.Settled(*trial_.trace.until)) {
        last = true;
        if (!learner.Finish()) {
          while (!learner.Finish()) clock_.Check(after);
          Measure(t_, after);
        }
      }
    }
    recorder_.Round(t_, outcome, last, *learner_);
  }
}

template <class T>
void Learning<T>::RunChunk(std::size_t first) {
  clock_.TellLoaded();
  As<Resumable>().Append();
  std::vector<std::uint32_t> rows(train_.size() - first);
  std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(first));
  if (trial_.info->protocol == Protocol::kStream) {
    auto& learner = As<StreamLearner>();
    learner.Announce(rows);
    for (const std::uint32_t row : rows) Step(learner, row, t_);
    return;
  }
  auto& learner = As<RoundLearner>();
  const std::span<const std::uint32_t> all(rows);
  for (std::size_t begin = 0; begin < all.size(); begin += trial_.batch) {
    const RoundOutcome outcome =
        Round(learner, all.subspan(begin, std::min<std::size_t>(trial_.batch, all.size() - begin)));
    recorder_.Round(t_, outcome, false, *learner_);
  }
}

template <class T>
void Learning<T>::TellElsewhere() {
  if (const auto* other = dynamic_cast<const LearnsElsewhere*>(learner_.get()))
    clock_.Elsewhere(other->seconds_beside());
}

// What was drawn is counted here: a learner is not believed when it says otherwise.
template <class T>
void Learning<T>::RequireExamples(const RoundOutcome& outcome, std::size_t drawn) const {
  const bool as_drawn =
      trial_.info->protocol == Protocol::kMiniBatches
          ? outcome.examples == drawn
          : (outcome.examples > 0 || outcome.finished) && outcome.examples <= trial_.training;
  if (as_drawn) return;
  throw TrialFailure("internal", trial_.info->name + " says that round " + std::to_string(t_) +
                                     " processed " + std::to_string(outcome.examples) + " examples" +
                                     (drawn > 0 ? ", but it was shown " + std::to_string(drawn) : ""));
}

// After `examples` examples, in step or round t.
template <class T>
void Learning<T>::Measure(std::uint64_t t, std::uint64_t examples) {
  if (checkpoints_.empty()) return;
  if (share_ != nullptr) share_->Pause();
  clock_.Stop();
  checkpoints_.Measure(t, examples, *learner_);
  test_seconds_ += clock_.Go();
  if (share_ != nullptr) share_->Resume();
}

template <class T>
Trace Learning<T>::Result() const {
  Recorder recorder = recorder_;
  recorder.RecordLast(*learner_);
  Checkpoints checkpoints = checkpoints_;
  Trace trace;
  trace.trial_id = trial_.id;
  trace.spec = trial_.canonical;
  const KernelCounts& counts = learner_->counts();
  const auto counted = static_cast<double>(recorder.counted());
  trace.summary = {
      {"examples", recorder.processed()},
      {"mistakes", recorder.mistakes()},
      {"error_rate", OrNull(!regression_, static_cast<double>(recorder.mistakes()) / counted)},
      {"margin_errors", recorder.margin_errors()},
      {"mean_loss", recorder.loss_sum() / counted},
      {"support_vectors", learner_->support_vectors()},
      {"test_error", OrNull(test_ != nullptr && !regression_, checkpoints.error())},
      {"kernel_evaluations",
       {{"requested", counts.requested}, {"computed", counts.computed}, {"evaluation", counts.evaluation}}}};
  if (trial_.info->code.handed_kernel) trace.summary["counted"] = kCountedHanded;
  // A solver is shown all of its examples, whatever it counts.
  if (trial_.info->protocol == Protocol::kSolver) trace.summary["examples"] = trial_.examples;
  if (trial_.kernel.kind == KernelKind::kSum) trace.summary["kernel_evaluations"]["terms"] = counts.terms;
  if (regression_) {
    trace.summary["rmse"] = regression_->error();
    if (trial_.prefix) trace.summary["squared_error_seen"] = regression_->seen_squares();
    trace.summary["test_rmse"] = OrNull(test_ != nullptr, checkpoints.error());
  }
  if (recorder.task_loss_sum()) {
    trace.summary["task_loss"] = *recorder.task_loss_sum() / counted;
    trace.summary["test_task_loss"] =
        OrNull(checkpoints.task_loss().has_value(), checkpoints.task_loss().value_or(0));
  }
  if (const auto* asks = dynamic_cast<const AsksOracle*>(learner_.get())) {
    trace.summary["oracle_calls"] = asks->oracle_calls();
    if (asks->boxes_scored()) trace.summary["boxes_scored"] = *asks->boxes_scored();
  }
  if (const auto* uses = dynamic_cast<const UsesFeatures*>(learner_.get()))
    trace.summary["feature_evaluations"] = uses->feature_evaluations();
  if (const auto& bounds = checkpoints.outcome().bounds)
    trace.summary["bounds"] = {
        {"bounded", bounds->bounded}, {"boxes", bounds->boxes}, {"missed", bounds->missed}};
  for (const RecallCurve& curve : checkpoints.outcome().recall)
    trace.summary["recall_area"][std::to_string(curve.boxes)] = curve.area;
  trace.tables.push_back(recorder.Finish());
  if (regression_) {
    RegressionRecorder<T> regression = *regression_;
    regression.RecordLast();
    regression.Finish(trace.tables.back());
  }
  if (!checkpoints.empty()) {
    trace.tables.push_back(checkpoints.Finish());
    checkpoints.FinishBoxes(trace.tables);
  }
  if (!outliers_.empty()) OutlierRecorder<T>(outliers_).Finish(trace.tables);
  return trace;
}

template class Learning<float>;
template class Learning<double>;

}  // namespace okbench
