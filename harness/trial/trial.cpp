#include "harness/trial/trial.h"

#include <chrono>
#include <cmath>
#include <memory>
#include <optional>

#include "datasets/error.h"
#include "datasets/stream.h"
#include "harness/system/error.h"
#include "harness/system/memory.h"
#include "harness/system/provenance.h"
#include "harness/trial/kernel_share.h"
#include "harness/trial/outliers.h"
#include "harness/trial/recorder.h"
#include "harness/trial/regression_recorder.h"
#include "learners/api/asks_oracle.h"
#include "learners/core/error.h"

namespace okbench {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Interruption and time are looked at every so many steps.
constexpr std::uint64_t kStepsBetweenChecks = 32;

// Time of learning, and when to give up.
struct LearningClock {
  LearningClock(const StopToken& token, std::uint64_t steps) : stop(token), all_steps(steps) {}
  double LearningSeconds() const { return SecondsSince(start) - test_seconds; }
  // Throws Interrupted, TrialFailure or std::bad_alloc; `t` steps are done.
  void Check(std::uint64_t t) const {
    RequireMemory();
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

// One trial while it runs.
template <class T>
class TrialRun {
 public:
  TrialRun(const Trial& trial, DataCache& data, const StopToken& stop, std::size_t tile)
      : trial_(trial),
        train_(data.Get<T>(trial.data.train)),
        test_(trial.data.test_part.empty() ? nullptr : data.Get<T>(TestRequest(trial))),
        load_seconds_(SecondsSince(start_)),
        tile_(tile),
        clock_(stop, trial.examples),
        learner_(trial.info->Make(trial.parameters,
                                  LearnerContext<T>{.train = train_.get(),
                                                    .test = test_.get(),
                                                    .kernel = trial.kernel,
                                                    .tree = trial.tree.get(),
                                                    .boxes = trial.data.boxes.value_or(BoxOptions{}),
                                                    .tile = tile,
                                                    .batch = trial.batch,
                                                    .seed = trial.SelectionSeed(),
                                                    .steps = trial.examples})),
        recorder_(trial, learner_->Columns(), [this] { return clock_.LearningSeconds(); }),
        regression_(train_->label_kind() == LabelKind::kReal
                        ? std::make_optional<RegressionRecorder<T>>(*train_)
                        : std::nullopt),
        outliers_(trial.info->ranks_examples ? trial.trace.listed : 0),
        checkpoints_(trial, test_ != nullptr, trial.trace.training && trial.info->measures_training,
                     train_->label_kind() == LabelKind::kReal) {}

  Trace Run() {
    if (clock_.stop.loaded != nullptr) clock_.stop.loaded->store(true, std::memory_order_relaxed);
    switch (trial_.info->protocol) {
      case Protocol::kStream:
        RunStream(As<StreamLearner>());
        break;
      case Protocol::kSolver:
        RunSolver(As<SolverLearner>());
        break;
      case Protocol::kMiniBatches:
      case Protocol::kSelection:
        RunRounds(As<RoundLearner>());
        break;
    }
    return Finish();
  }

 private:
  // The interface that the registry promises.
  template <class Kind>
  Kind& As() const {
    return dynamic_cast<Kind&>(*learner_);
  }

  std::vector<std::uint32_t> Stream() const {
    return MakeStream(trial_.data.stream, train_->labels(), trial_.StreamSeed());
  }

  void RunStream(StreamLearner& learner) {
    const auto stream = Stream();
    learner.Announce(stream);
    for (std::uint64_t t = 1; t <= stream.size(); ++t) {
      if (t % kStepsBetweenChecks == 0) clock_.Check(t);
      const StepOutcome outcome = learner.Step(stream[t - 1]);
      RequireFinite(outcome.loss, "at step ", t);
      recorder_.Step(t, stream[t - 1], outcome, *learner_);
      if (regression_) regression_->Step(stream[t - 1], outcome.prediction, recorder_.recorded());
      outliers_.Step(t, stream[t - 1], outcome);
      if (checkpoints_.Due(t - 1, t)) Measure(t, recorder_.processed());
    }
    if (!outliers_.empty()) outliers_.Rank(stream, *train_, test_.get(), As<RanksExamples>());
  }

  void RunSolver(SolverLearner& learner) {
    const auto stream = Stream();
    learner.Announce(stream);
    RoundOutcome outcome;
    for (std::uint64_t round = 1; !outcome.finished; ++round) {
      clock_.Check(0);
      outcome = learner.Round();
      RequireFinite(outcome.mean_loss, "in round ", round);
      recorder_.Round(round, outcome, outcome.finished, *learner_);
    }
    if (!outcome.converged)
      throw TrialFailure("not-converged", "the solver stopped at a limit before it reached its tolerance");
    Measure(stream.size(), recorder_.processed());
    if (!outliers_.empty()) outliers_.Rank(stream, *train_, test_.get(), As<RanksExamples>());
  }

  void RunRounds(RoundLearner& learner) {
    const bool draws = trial_.info->protocol == Protocol::kMiniBatches;
    Batches batches;
    if (draws) batches = MakeBatches(trial_.data.stream, trial_.training, trial_.batch, trial_.StreamSeed());
    bool last = false;
    for (std::uint64_t round = 1; !last; ++round) {
      const std::uint64_t before = recorder_.processed();
      clock_.Check(before);
      const auto batch = draws ? batches[round - 1] : std::span<const std::uint32_t>();
      const RoundOutcome outcome = learner.Round(batch);
      RequireFinite(outcome.mean_loss, "in round ", round);
      RequireExamples(outcome, batch.size(), round);
      const std::uint64_t after = before + outcome.examples;
      last = outcome.finished || after >= trial_.examples;
      while (last && !learner.Finish()) clock_.Check(after);
      if (last || checkpoints_.Due(before, after) || checkpoints_.DueAfter(round)) {
        Measure(round, after);
        if (!last && trial_.trace.until && checkpoints_.Settled(*trial_.trace.until)) {
          last = true;
          if (!learner.Finish()) {
            while (!learner.Finish()) clock_.Check(after);
            Measure(round, after);
          }
        }
      }
      recorder_.Round(round, outcome, last, *learner_);
    }
  }

  // What was drawn is counted here: a learner is not believed when it says otherwise.
  void RequireExamples(const RoundOutcome& outcome, std::size_t drawn, std::uint64_t round) const {
    const bool as_drawn =
        trial_.info->protocol == Protocol::kMiniBatches
            ? outcome.examples == drawn
            : (outcome.examples > 0 || outcome.finished) && outcome.examples <= trial_.training;
    if (as_drawn) return;
    throw TrialFailure("internal", trial_.info->name + " says that round " + std::to_string(round) +
                                       " processed " + std::to_string(outcome.examples) + " examples" +
                                       (drawn > 0 ? ", but it was shown " + std::to_string(drawn) : ""));
  }

  static void RequireFinite(double loss, const char* where, std::uint64_t t) {
    if (!std::isfinite(loss))
      throw TrialFailure("diverged",
                         "the loss is not finite " + (where + std::to_string(t)) + ": the learner diverged");
  }

  // After `examples` examples, in step or round t.
  void Measure(std::uint64_t t, std::uint64_t examples) {
    if (checkpoints_.empty()) return;
    const Clock::time_point before = Clock::now();
    kernel_share_.Pause();
    checkpoints_.Measure(t, examples, *learner_);
    kernel_share_.Resume();
    clock_.test_seconds += SecondsSince(before);
  }

  Trace Finish() {
    const double wall_seconds = clock_.LearningSeconds();
    const std::optional<double> kernel_share = kernel_share_.Finish();
    Trace trace;
    trace.trial_id = trial_.id;
    trace.spec = trial_.canonical;
    const KernelCounts& counts = learner_->counts();
    const std::uint64_t processed = trial_.rounds() ? recorder_.processed() : trial_.examples;
    const auto counted = static_cast<double>(recorder_.counted());
    const auto or_null = [](bool there, double value) {
      return there ? nlohmann::json(value) : nlohmann::json();
    };
    trace.summary = {
        {"examples", processed},
        {"mistakes", recorder_.mistakes()},
        {"error_rate", or_null(!regression_, static_cast<double>(recorder_.mistakes()) / counted)},
        {"margin_errors", recorder_.margin_errors()},
        {"mean_loss", recorder_.loss_sum() / counted},
        {"support_vectors", learner_->support_vectors()},
        {"test_error", or_null(test_ && !regression_, checkpoints_.error())},
        {"kernel_evaluations",
         {{"requested", counts.requested},
          {"computed", counts.computed},
          {"evaluation", counts.evaluation}}}};
    if (trial_.kernel.kind == KernelKind::kSum) trace.summary["kernel_evaluations"]["terms"] = counts.terms;
    if (regression_) {
      trace.summary["rmse"] = regression_->error();
      trace.summary["test_rmse"] = or_null(test_ != nullptr, checkpoints_.error());
    }
    if (recorder_.task_loss_sum()) {
      trace.summary["task_loss"] = *recorder_.task_loss_sum() / counted;
      trace.summary["test_task_loss"] =
          or_null(checkpoints_.task_loss().has_value(), checkpoints_.task_loss().value_or(0));
    }
    if (const auto* asks = dynamic_cast<const AsksOracle*>(learner_.get())) {
      trace.summary["oracle_calls"] = asks->oracle_calls();
      if (asks->boxes_scored()) trace.summary["boxes_scored"] = *asks->boxes_scored();
    }
    if (const auto& bounds = checkpoints_.outcome().bounds)
      trace.summary["bounds"] = {
          {"bounded", bounds->bounded}, {"boxes", bounds->boxes}, {"missed", bounds->missed}};
    for (const RecallCurve& curve : checkpoints_.outcome().recall)
      trace.summary["recall_area"][std::to_string(curve.boxes)] = curve.area;
    trace.tables.push_back(recorder_.Finish());
    if (regression_) regression_->Finish(trace.tables.back());
    if (!checkpoints_.empty()) {
      trace.tables.push_back(checkpoints_.Finish());
      checkpoints_.FinishBoxes(trace.tables);
    }
    if (!outliers_.empty()) outliers_.Finish(trace.tables);
    trace.provenance = BuildProvenance();
    trace.provenance["label"] = trial_.label;
    trace.provenance["learner_key"] = trial_.learner_key;
    trace.provenance["grid_point"] = trial_.grid_point;
    trace.provenance["stand_in"] = trial_.stand_in;
    trace.provenance["data_shape"] = {{"train", train_->size()},
                                      {"test", test_ ? test_->size() : 0},
                                      {"features", train_->features()},
                                      {"classes", train_->classes()}};
    if (!trial_.train_plan.image.empty()) trace.provenance["data_shape"]["image"] = trial_.train_plan.image;
    if (trial_.train_plan.margin > 0) trace.provenance["data_shape"]["margin"] = trial_.train_plan.margin;
    for (const DataPlan* plan : {&trial_.train_plan, &trial_.test_plan})
      for (const auto& [name, digest] : plan->files) trace.provenance["data_files"][name] = digest;
    trace.provenance["kernel"] = trial_.kernel.Describe();
    trace.provenance["start_time"] = started_;
    trace.provenance["wall_seconds"] = wall_seconds;
    trace.provenance["test_seconds"] = clock_.test_seconds;
    // Boxes are scored from tables, not by the kernel engine.
    trace.provenance["kernel_share"] = or_null(kernel_share && !trial_.data.boxes, kernel_share.value_or(0));
    trace.provenance["load_seconds"] = load_seconds_;
    trace.provenance["tile"] = tile_;
    trace.provenance["counted"] = recorder_.counts_training() ? kCountedTraining : kCountedShown;
    return trace;
  }

  const Trial& trial_;
  const std::string started_ = UtcNow();
  const Clock::time_point start_ = Clock::now();
  std::shared_ptr<const Examples<T>> train_, test_;
  double load_seconds_;
  std::size_t tile_;
  LearningClock clock_;
  KernelShare kernel_share_;
  std::unique_ptr<Learner> learner_;
  Recorder recorder_;
  std::optional<RegressionRecorder<T>> regression_;
  OutlierRecorder<T> outliers_;
  Checkpoints checkpoints_;
};

}  // namespace

Trace RunTrial(const Trial& trial, DataCache& data, const StopToken& stop, std::size_t tile) {
  const auto no_memory = [] { return TrialFailure("memory", "not enough memory for this trial"); };
  try {
    Trace trace = trial.double_precision ? TrialRun<double>(trial, data, stop, tile).Run()
                                         : TrialRun<float>(trial, data, stop, tile).Run();
    RequireMemory();
    return trace;
  } catch (const DataError& error) {
    throw TrialFailure("data", error.what());
  } catch (const InvalidArgument& error) {
    throw TrialFailure("argument", error.what());
  } catch (const std::bad_alloc&) {
    throw no_memory();
  } catch (const std::length_error&) {  // more than any memory holds
    throw no_memory();
  }
}

}  // namespace okbench
