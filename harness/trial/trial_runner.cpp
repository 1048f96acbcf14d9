#include "harness/trial/trial_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>

#include "base/error.h"
#include "learners/api/model.h"
#include "learners/api/output_learner.h"
#include "learners/api/reports_overhead.h"
#include "learners/api/uses_features.h"
#include "learners/bases/hedge.h"
#include "learners/core/stop.h"

namespace okbench {
namespace {

// Steps between two checks for interruption and timeout.
constexpr std::uint64_t kStepsBetweenChecks = 32;

constexpr std::uint64_t kRoundsAhead = 4;    // rounds between prefetching rows and learning from them
constexpr std::uint64_t kLargestAhead = 32;  // largest mini-batch whose rows are prefetched

// Predictions this many times larger than every target have diverged: each step multiplies the error.
constexpr double kLargestPrediction = 1e9;

void RequireFinite(double loss, const char* where, std::uint64_t t) {
  if (!std::isfinite(loss))
    throw TrialFailure("diverged", "diverged " + (where + std::to_string(t)) + ": the loss is not finite");
}

}  // namespace

template <class T>
TrialRunner<T>::TrialRunner(const Trial& trial, const Examples<T>& train, const Examples<T>* test,
                            const StopToken& stop, std::size_t lookahead, bool streaming, KernelShare* share)
    : trial_(trial),
      train_(train),
      test_(test),
      clock_(stop, trial.examples),
      share_(share),
      learner_(MakeLearner(test, lookahead, streaming)),
      overhead_(dynamic_cast<const ReportsOverhead*>(learner_.get())),
      resumable_(dynamic_cast<Resumable*>(learner_.get())),
      gives_model_(dynamic_cast<GivesModel*>(learner_.get())),
      maker_(trial.scores, train.label_kind()),
      context_{.trial = trial_,
               .test = test != nullptr,
               .training = trial.trace->training && trial.info->measures_training,
               .regression = train.label_kind() == LabelKind::kReal,
               .one_feature = train.features() == 1,
               .shape = [this] { return maker_.shape(); },
               .test_prediction =
                   [this](const TestOutcome& outcome, std::size_t i) {
                     const std::size_t outputs = outcome.scores.size() / outcome.examples;
                     return maker_.Make(*test_, i, std::span(outcome.scores).subspan(i * outputs, outputs),
                                        !outcome.flagged.empty() && outcome.flagged[i], true);
                   }},
      measures_(context_),
      recorder_(trial, learner_->Columns(), measures_, late_, [this] { return clock_.Seconds(); }),
      outliers_(trial.info->ranks_examples ? trial.trace->outliers : 0),
      predictions_(trial.trace->predictions && trial.info->protocol == Protocol::kStream),
      checkpoints_(context_, measures_, late_),
      most_wrong_(stop.most_wrong) {}

template <class T>
std::unique_ptr<Learner> TrialRunner<T>::MakeLearner(const Examples<T>* test, std::size_t lookahead,
                                                     bool streaming) {
  const AllocationCounter::Scope scope(memory_);
  const LearnerContext<T> context{.train = &train_,
                                  .test = test,
                                  .kernel = trial_.kernel,
                                  .tree = trial_.tree.get(),
                                  .graph = trial_.graph.get(),
                                  .outputs = trial_.data->outputs.options.get(),
                                  .lookahead = lookahead,
                                  .batch = trial_.batch,
                                  .seed = trial_.SelectionSeed(),
                                  .steps = trial_.examples < kEndless ? trial_.examples : 0,
                                  .streaming = streaming,
                                  .first_features = trial_.first_features};
  if (trial_.hedged->empty()) return trial_.info->Make(trial_.parameters, context);
  std::vector<HedgedLearner> learners;
  for (const Candidate& candidate : *trial_.hedged)
    learners.push_back({.parameters = candidate.parameters, .kernel = candidate.kernel});
  return MakeHedge<T>(*trial_.info, learners, trial_.hedge, context);
}

template <class T>
void TrialRunner<T>::Run() {
  clock_.MarkLoaded();
  const StopScope scope(throw_if_stopped_);
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
std::vector<std::uint32_t> TrialRunner<T>::Stream() const {
  return MakeStream(trial_.data->stream, train_.labels(), trial_.StreamSeed());
}

// `example` is a row of the training set. `number` is recorded in the trace as the example's number.
template <class T>
void TrialRunner<T>::Step(StreamLearner& learner, std::uint32_t example, std::uint64_t number) {
  const std::uint64_t t = ++t_;
  if (t % kStepsBetweenChecks == 0) clock_.Check(t);
  const StepOutcome outcome = [&] {
    const AllocationCounter::Scope scope(memory_);
    return learner.Step(example);
  }();
  RecordStep(example, number, outcome);
}

template <class T>
void TrialRunner<T>::RecordStep(std::uint32_t example, std::uint64_t number, const StepOutcome& outcome) {
  const std::uint64_t t = t_;
  RequireFinite(outcome.loss, "at step ", t);
  if (on_step_) on_step_(example, outcome);
  const RealStep real = context_.regression ? RealStepOf(example) : RealStep{};
  if (context_.regression) RequireBounded(outcome.prediction, real.target, t);
  const double distance = outcome.prediction - real.target;
  wrong_ += context_.regression ? distance * distance : static_cast<double>(outcome.mistake);
  Prediction prediction;
  const bool predicts = !predictions_.empty() || !trial_.measures.empty();
  if (predicts) prediction = PredictionOf(example, outcome);
  recorder_.Step(t, number, outcome, context_.regression ? &real : nullptr, predicts ? &prediction : nullptr,
                 *learner_);
  outliers_.Step(t, example, outcome);
  predictions_.Step(prediction, maker_.shape().kind, train_.label(example),
                    train_.label_kind() == LabelKind::kBinary);
  if (checkpoints_.Due(t - 1, t)) Measure(t, recorder_.progress().processed);
}

template <class T>
Prediction TrialRunner<T>::PredictionOf(std::uint32_t example, const StepOutcome& outcome) {
  if (outcome.scores.empty())
    throw TrialFailure("argument", "the learner reports no scores; remove trace.predictions and measures");
  return maker_.Make(train_, example, outcome.scores, outcome.mistake);
}

template <class T>
void TrialRunner<T>::RequireBounded(double prediction, double target, std::uint64_t t) {
  largest_target_ = std::max(largest_target_, std::fabs(target));
  if (std::fabs(prediction) <= kLargestPrediction * largest_target_) return;
  throw TrialFailure("diverged",
                     fmt::format("diverged at step {}: predicts {:.3g}, and no target exceeds {:.3g}", t,
                                 prediction, largest_target_));
}

template <class T>
void TrialRunner<T>::RunStream(StreamLearner& learner) {
  const auto stream = Stream();
  {
    const AllocationCounter::Scope scope(memory_);
    learner.Announce(stream);
  }
  if (Late(trial_.data->stream))
    RunDelayed(learner, stream);
  else
    for (std::size_t i = 0; i < stream.size() && !ended(); ++i) Step(learner, stream[i], stream[i]);
  if (!outliers_.empty()) outliers_.Rank(stream, train_, test_, As<RanksExamples>());
}

// Step t predicts example t with the current model. The learner then learns from all examples whose delay
// has passed, in the order in which their labels arrive. After the last step it learns from the rest.
template <class T>
void TrialRunner<T>::RunDelayed(StreamLearner& learner, std::span<const std::uint32_t> stream) {
  using Arrival = std::pair<std::uint64_t, std::size_t>;  // step, position in the stream
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> waiting;
  std::vector<double> scores;
  for (const std::uint32_t example : stream) {
    const std::uint64_t t = ++t_;
    if (t % kStepsBetweenChecks == 0) clock_.Check(t);
    const std::uint64_t before = learner.counts().evaluation;
    StepOutcome outcome = [&] {
      const AllocationCounter::Scope scope(memory_);
      return learner.Predict(example);
    }();
    late_.predicting += learner.counts().evaluation - before;
    scores.assign(outcome.scores.begin(), outcome.scores.end());  // Learn() overwrites them
    outcome.scores = scores;
    waiting.emplace(t + (delays_.empty() ? *trial_.data->stream.delay : delays_[example]), t - 1);
    while (!waiting.empty() && (waiting.top().first <= t || t == stream.size())) {
      const AllocationCounter::Scope scope(memory_);
      RequireFinite(learner.Learn(stream[waiting.top().second]).loss, "learning from a late label at step ",
                    t);
      waiting.pop();
      if (waiting.size() % kStepsBetweenChecks == 0) clock_.Check(t);
    }
    late_.waiting = waiting.size();
    most_waiting_ = std::max(most_waiting_, late_.waiting);
    RecordStep(example, example, outcome);
    if (ended()) return;
  }
}

template <class T>
void TrialRunner<T>::RunSolver(SolverLearner& learner) {
  const auto stream = Stream();
  {
    const AllocationCounter::Scope scope(memory_);
    learner.Announce(stream);
  }
  RoundOutcome outcome;
  while (!outcome.finished) {
    ++t_;
    clock_.Check(0);
    {
      const AllocationCounter::Scope scope(memory_);
      outcome = learner.Round();
    }
    UpdateOverhead();
    RequireFinite(outcome.mean_loss, "in round ", t_);
    recorder_.Round(t_, outcome, outcome.finished, *learner_);
  }
  converged_ = outcome.converged;
  if (!converged_)
    throw TrialFailure("not-converged", "the solver stopped at a limit before it reached its tolerance");
  Measure(stream.size(), recorder_.progress().processed);
  if (!outliers_.empty()) outliers_.Rank(stream, train_, test_, As<RanksExamples>());
}

// Runs the next round and validates its outcome.
template <class T>
RoundOutcome TrialRunner<T>::Round(RoundLearner& learner, std::span<const std::uint32_t> batch) {
  ++t_;
  // Small batches take less time than the check.
  if (batch.empty() || batch.size() >= kStepsBetweenChecks || t_ % kStepsBetweenChecks == 0)
    clock_.Check(recorder_.progress().processed);
  const RoundOutcome outcome = [&] {
    const AllocationCounter::Scope scope(memory_);
    return learner.Round(batch);
  }();
  UpdateOverhead();
  RequireFinite(outcome.mean_loss, "in round ", t_);
  RequireExamples(outcome, batch.size());
  converged_ = outcome.converged;
  return outcome;
}

template <class T>
void TrialRunner<T>::RunRounds(RoundLearner& learner) {
  const bool draws = trial_.info->protocol == Protocol::kMiniBatches;
  Batches batches;
  if (draws) batches = MakeBatches(trial_.data->stream, trial_.training, trial_.batch, trial_.StreamSeed());
  bool last = false;
  while (!last) {
    if (const std::size_t ahead = t_ + kRoundsAhead; ahead < batches.size() && trial_.batch <= kLargestAhead)
      for (const std::uint32_t i : batches[ahead]) train_.Prefetch(i);
    const std::uint64_t before = recorder_.progress().processed;
    const RoundOutcome outcome = Round(learner, draws ? batches[t_] : std::span<const std::uint32_t>());
    const std::uint64_t after = before + outcome.examples;
    last = outcome.finished || after >= trial_.examples;
    while (last && !learner.Finish()) clock_.Check(after);
    if (last || checkpoints_.Due(before, after) || checkpoints_.DueAfter(t_)) {
      Measure(t_, after);
      if (!last && trial_.trace->tolerance && checkpoints_.ErrorConverged(*trial_.trace->tolerance)) {
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
void TrialRunner<T>::Serialize(Archive& archive) {
  resumable_->Serialize(archive);
  archive.Field("steps", t_);
  archive.Field("largest_target", largest_target_);
  recorder_.Serialize(archive);
}

template <class T>
bool TrialRunner<T>::ScoreRow(std::uint32_t row, std::span<double> out) {
  const std::uint64_t before = learner_->counts().evaluation;
  const bool scored = gives_model_ != nullptr && gives_model_->ScoreRow(row, out);
  late_.predicting += learner_->counts().evaluation - before;
  return scored;
}

template <class T>
void TrialRunner<T>::RunChunk(std::size_t first) {
  clock_.MarkLoaded();
  resumable_->OnRowsAppended();
  std::vector<std::uint32_t> rows(train_.size() - first);
  std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(first));
  if (trial_.info->protocol == Protocol::kStream) {
    auto& learner = As<StreamLearner>();
    learner.Announce(rows);
    for (std::size_t i = 0; i < rows.size() && !ended(); ++i) Step(learner, rows[i], t_);
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

// Verifies the number of examples that the learner reports: that of the batch drawn, or for selection a
// positive number (0 only in the last round) of at most the training set. Throws TrialFailure.
template <class T>
void TrialRunner<T>::RequireExamples(const RoundOutcome& outcome, std::size_t drawn) const {
  const bool as_drawn =
      trial_.info->protocol == Protocol::kMiniBatches
          ? outcome.examples == drawn
          : (outcome.examples > 0 || outcome.finished) && outcome.examples <= trial_.training;
  if (as_drawn) return;
  throw TrialFailure("internal", trial_.info->name + " reports that round " + std::to_string(t_) +
                                     " processed " + std::to_string(outcome.examples) + " examples" +
                                     (drawn > 0 ? ", but it received " + std::to_string(drawn) : ""));
}

// Measures a checkpoint after `examples` examples, in step or round t. Excludes its time from learning time.
template <class T>
void TrialRunner<T>::Measure(std::uint64_t t, std::uint64_t examples) {
  if (checkpoints_.empty()) return;
  if (share_ != nullptr) share_->Pause();
  clock_.Pause();
  checkpoints_.Measure(t, examples, *learner_);
  test_seconds_ += clock_.Resume();
  if (share_ != nullptr) share_->Resume();
}

template <class T>
RealStep TrialRunner<T>::RealStepOf(std::uint32_t example) const {
  RealStep real{.target = train_.target(example), .truth = train_.truth(example), .input = {}};
  if (context_.one_feature) real.input = static_cast<double>(train_.row(example).values[0]);
  return real;
}

template <class T>
Trace TrialRunner<T>::Result() const {
  Trace trace;
  const KernelCounts& counts = learner_->counts();
  // A solver uses all its examples, whatever number its rounds report.
  const bool solver = trial_.info->protocol == Protocol::kSolver;
  trace.summary = {{"examples", solver ? trial_.examples : recorder_.progress().processed},
                   {"support_vectors", learner_->support_vectors()},
                   {"kernel_evaluations",
                    {{"requested", counts.requested},
                     {"computed", counts.computed},
                     {"evaluation", counts.evaluation - late_.predicting}}}};
  if (Late(trial_.data->stream)) trace.summary["kernel_evaluations"]["predicting"] = late_.predicting;
  if (trial_.kernel.kind == KernelKind::kSum) trace.summary["kernel_evaluations"]["terms"] = counts.terms;
  if (trial_.info->code.handed_kernel) trace.summary["counted"] = kCountedHanded;
  if (const auto* user = dynamic_cast<const OracleUser*>(learner_.get()))
    trace.summary["oracle_calls"] = user->oracle_calls();
  if (const auto* uses = dynamic_cast<const UsesFeatures*>(learner_.get()))
    trace.summary["feature_evaluations"] = uses->feature_evaluations();
  if (!predictions_.empty()) trace.summary["scores"] = ScoreKindName(maker_.shape().kind);
  measures_.Summarize(trace.summary, recorder_.progress(), *learner_);
  trace.tables.push_back(recorder_.ToTable(*learner_));
  if (!checkpoints_.empty()) trace.tables.push_back(checkpoints_.ToTable());
  measures_.AddTables(trace.tables);
  if (!outliers_.empty()) OutlierRecorder<T>(outliers_).Finish(trace.tables);
  if (!predictions_.empty()) trace.tables.push_back(predictions_.ToTable());
  return trace;
}

template class TrialRunner<float>;
template class TrialRunner<double>;

}  // namespace okbench
