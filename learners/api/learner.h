#pragma once
// Learner: an online learner in one trial. Implement one of three interfaces:
//
//   StreamLearner   Step(i) predicts example i with the current model, scores it, then learns from it
//   RoundLearner    Round(batch) does the same with several training examples, drawn by the harness or
//                   selected by the learner
//   SolverLearner   Round() runs one piece of a batch solver on announced examples
//
// Also implement the optional interfaces that the method supports: MeasuresTraining, RanksExamples,
// Resumable, GrowsClasses, GivesVariance, GivesModel (model.h) and UsesFeatures (uses_features.h). All
// virtual functions are pure, except RoundLearner::Finish() and StreamLearner::Predict().
//
// A learner is pure computation: no files, clocks, threads or printing. A learner that calls a library in a
// subprocess reports the time that this costs (ReportsOverhead). A learner belongs to one trial. Not
// thread-safe.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "learners/core/archive.h"
#include "learners/core/evaluation_counter.h"
#include "learners/core/examples.h"
#include "learners/kernels/kernel.h"
#include "learners/outputs/label_graph.h"
#include "learners/outputs/label_tree.h"

namespace okbench {

/// Outcome of one step, under the model before the step.
struct StepOutcome {
  double loss = 0;            ///< loss of the example; NaN: the trial fails as diverged
  bool mistake = false;       ///< wrong prediction; f(x) = 0 is wrong. Novelty: the example was flagged
  bool margin_error = false;  ///< margin violated, or target outside the tube
  double prediction = 0;      ///< regression: f(x)
  double violation = 0;       ///< distance inside the margin (LossValue::violation)
  std::optional<double> task_loss{};  ///< Delta(y, prediction); empty without output distances
  /// f_r(x) of every output before learning; valid until the next step. Empty: not reported.
  std::span<const double> scores{};
};

/// Outcome of one round. Losses and mistakes are those of the model before the round.
struct RoundOutcome {
  bool finished = false;              ///< do not call Round() again
  bool converged = false;             ///< finished by reaching the tolerance, not by reaching a limit
  bool whole_set = false;             ///< counts cover the training set, not only this round's examples
  std::uint64_t examples = 0;         ///< examples processed in this round; the size of the batch, if drawn
  double mean_loss = 0;               ///< mean loss; solvers may omit shrunk examples before the last round
  std::uint64_t mistakes = 0;         ///< examples predicted wrongly
  std::uint64_t margin_errors = 0;    ///< examples inside the margin, i.e. with a nonzero hinge loss
  std::optional<double> task_loss{};  ///< mean Delta(y, prediction); empty without output distances
};

/// Base of component-specific test results beyond TestOutcome.
struct TestDetails {
  virtual ~TestDetails() = default;
};

/// Errors of the model on the test set.
struct TestOutcome {
  std::size_t examples = 0;                      ///< test examples
  std::size_t mistakes = 0;                      ///< examples predicted wrongly, see PredictsWrong()
  bool finite = true;                            ///< every score was finite
  double squared_error = 0;                      ///< regression: sum of (f(x) - y)^2; noise-free y if known
  std::optional<double> mean_loss{};             ///< mean loss; empty if the method does not report it
  std::optional<double> regularised_risk{};      ///< mean_loss + c/2 ||f||^2
  std::optional<double> task_loss{};             ///< mean Delta(y, prediction); empty without distances
  std::vector<double> scores{};                  ///< [example][output]; empty: not reported
  std::vector<bool> flagged{};                   ///< novelty detectors: whether each example is flagged
  std::shared_ptr<const TestDetails> details{};  ///< component-specific results, or null

  /// Appends the scores of the next example.
  void AddScores(std::span<const double> f) { scores.insert(scores.end(), f.begin(), f.end()); }
};

/// Losses of the model on its training set.
struct TrainingOutcome {
  double mean_loss = 0;                 ///< mean hinge loss
  std::uint64_t nonzero_loss = 0;       ///< examples with a loss above 0
  std::optional<double> worst_share{};  ///< share of the loss on the worst 1 % of examples
  std::optional<double> objective{};    ///< lambda/2 ||w||^2 + mean loss; empty if undefined
};

/// Functions common to all learners.
class Learner {
 public:
  virtual ~Learner() = default;

  /// Return the names of the method's additional trace columns. May be empty.
  /// The result must not change during a trial.
  virtual std::vector<std::string> Columns() const = 0;
  /// Write the values of Columns() after the last step or round.
  /// REQUIRES: `out` has Columns().size() entries.
  virtual void Report(std::span<double> out) const = 0;

  /// Return the number of support vectors of the current model, or 0 without a kernel.
  virtual std::size_t support_vectors() const = 0;
  /// Return the kernel counts since construction. The reference stays valid as long as the learner.
  virtual const KernelCounts& counts() const = 0;
  /// Evaluate the current model on LearnerContext::test. Must not change the model.
  /// Count kernel values as Purpose::kMeasuring. REQUIRES: the context has a test set.
  virtual TestOutcome Test() = 0;
};

/// A learner that knows how uncertain its predictions are.
template <class T>
class GivesVariance {
 public:
  virtual ~GivesVariance() = default;
  /// Write the predictive variance of the target of each row, in squared units of the target. Must not change
  /// the model. Count kernel values as Purpose::kMeasuring. REQUIRES: the rows have the features of the
  /// training set, and out.size() is their number.
  virtual void Variances(const Examples<T>& rows, std::span<double> out) = 0;
};

/// Learns from a recorded stream, one example per step.
class StreamLearner : public Learner {
 public:
  /// Take the examples of the coming steps, in order. Called before the first step, and before each chunk.
  /// Use the list, or a copy of it, only to evaluate kernel rows ahead: it must not affect any result.
  virtual void Announce(std::span<const std::uint32_t> order) = 0;
  /// Predict training example `example` under the current model, then learn from it. Return the outcome of
  /// the prediction; its loss is NaN if a score is not finite. REQUIRES: `example` is a row of the training
  /// set.
  virtual StepOutcome Step(std::uint32_t example) = 0;
  /// Return the outcome that Step() would return for `example`, without learning from it.
  /// Count kernel values as Purpose::kMeasuring. Called if labels arrive late. The default throws
  /// InvalidArgument.
  virtual StepOutcome Predict(std::uint32_t example);
  /// Learn from an example that was predicted before: Step(), whose outcome is not recorded.
  /// Returns the outcome, so that divergence is noticed.
  StepOutcome Learn(std::uint32_t example) { return Step(example); }
};

/// Learns from a training set in rounds.
class RoundLearner : public Learner {
 public:
  /// Score the examples of `batch` (distinct training rows) with the current model, then learn from them.
  /// `batch` is empty for methods that select their examples (Protocol::kSelection).
  /// REQUIRES: no earlier round has returned `finished`.
  virtual RoundOutcome Round(std::span<const std::uint32_t> batch) = 0;
  /// Do one piece of the finishing step after the last round. Return true when the step is complete.
  /// Called until it returns true. Override it only if the method has a finishing step.
  virtual bool Finish() { return true; }
};

/// A batch solver.
class SolverLearner : public Learner {
 public:
  /// Take the training rows to solve for. Called once, before the first round.
  virtual void Announce(std::span<const std::uint32_t> order) = 0;
  /// Do one piece of the work. Set `finished` when the solver stops, and `converged` if it met its tolerance.
  /// REQUIRES: Announce() was called, and no earlier round has returned `finished`.
  virtual RoundOutcome Round() = 0;
};

/// A learner that measures its loss on the training set.
class MeasuresTraining {
 public:
  virtual ~MeasuresTraining() = default;
  /// Evaluate the current model on its training set. Must not change the model.
  /// Count kernel values as Purpose::kMeasuring.
  virtual TrainingOutcome MeasureTraining() = 0;
};

/// Data set that RanksExamples refers to.
enum class RankedPart { kTraining, kTest };

/// A learner that ranks examples by their margin violation.
class RanksExamples {
 public:
  virtual ~RanksExamples() = default;
  /// Write LossValue::violation of rows[i] under the current model to out[i].
  /// Count kernel values as Purpose::kMeasuring. REQUIRES: `out` has rows.size() entries.
  virtual void Violations(RankedPart part, std::span<const std::uint32_t> rows, std::span<double> out) = 0;
};

/// A learner that supports training rows in chunks and can save its state. A stream may be longer than
/// memory, so implementations copy every row they still need, except those returned by RetainedRows().
class Resumable {
 public:
  virtual ~Resumable() = default;
  /// Return the training rows that the learner still needs, by index, without duplicates.
  /// Return the support vectors if the method keeps no copies of them, else nothing. Valid until the next
  /// call of a function that is not const.
  virtual std::span<const std::uint32_t> RetainedRows() const = 0;
  /// Take the new contents of LearnerContext::train: the rows of RetainedRows(), in that order, then new
  /// rows. Label kind, layout and number of features are unchanged. REQUIRES: LearnerContext::streaming.
  virtual void OnRowsAppended() = 0;
  /// Write or read all state that affects later steps, counts included, training rows excluded.
  /// REQUIRES when reading: same parameters and kernel, and the retained rows of the saved learner as
  /// training rows. Throws InvalidArgument if the archive does not match.
  virtual void Serialize(Archive& archive) = 0;
};

/// A resumable learner that accepts new classes, because it learns one function per class.
class GrowsClasses {
 public:
  virtual ~GrowsClasses() = default;
  /// Add a class after all others; its function is 0. Followed by OnRowsAppended() with rows of one class
  /// more. REQUIRES: LearnerContext::streaming and multiclass labels.
  virtual void AddClass() = 0;
};

/// Base of component-specific options for structured outputs.
struct OutputOptions {
  virtual ~OutputOptions() = default;
};

/// Data and settings that a learner is built from. The learner does not own the examples, tree and output
/// options. REQUIRES: the examples outlive the learner.
template <class T>
struct LearnerContext {
  const Examples<T>* train = nullptr;      ///< training set
  const Examples<T>* test = nullptr;       ///< test set; null: Test() is not called
  Kernel kernel;                           ///< kernel between examples
  const LabelTree* tree = nullptr;         ///< label tree of the classes; may be null
  const LabelGraph* graph = nullptr;       ///< label graph of the classes; may be null
  const OutputOptions* outputs = nullptr;  ///< options for structured outputs; null: defaults
  std::size_t lookahead = 48;              ///< look-ahead rows; affect speed and `computed`, never a result
  std::size_t batch = 0;                   ///< examples per round, for methods that select them
  std::uint64_t seed = 0;                  ///< seed of the method's own random draws
  std::size_t steps = 0;                   ///< length of the stream; 0: unknown
  /// Training rows arrive in chunks, without a limit, and `train` holds the first chunk. Requires a Resumable
  /// learner. A chunk may be empty and may lack classes.
  bool streaming = false;
  /// Features of the first rows of a stream whose rows got more features later; 0: all. Only draws for
  /// features depend on it.
  std::size_t first_features = 0;
};

}  // namespace okbench
