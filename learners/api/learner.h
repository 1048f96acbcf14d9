#pragma once
// Learner: an online learner in one trial. How it is shown its examples is one of three interfaces:
//
//   StreamLearner   Step(i) predicts example i with the model of the steps before, scores it, then learns
//   from it
//   RoundLearner    Round(batch) does the same with several examples of a training set at once, drawn by the
//                   harness or selected by the learner itself
//   SolverLearner   rounds of a batch solver on announced examples, until it has finished
//
// What a learner can be measured by beside its test error are interfaces of their own: MeasuresTraining,
// RanksExamples. Nothing that decides a result has a default.
//
// A learner is pure computation: no files, clocks, threads or printing; only what needs a library in a
// process of its own tells the time that this costs (LearnsElsewhere). One learner belongs to one trial; it
// is not thread-safe.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "learners/core/examples.h"
#include "learners/core/evaluation_counter.h"
#include "learners/core/archive.h"
#include "learners/kernels/kernel.h"
#include "learners/outputs/label_tree.h"

namespace okbench {

/// What one step showed, before the example was learned from.
struct StepOutcome {
  double loss = 0;            ///< loss of the example under the model before the step
  bool mistake = false;       ///< wrong prediction; f(x) = 0 counts as one. Novelty: the example was flagged
  bool margin_error = false;  ///< the margin was violated, or the target lay outside the tube
  double prediction = 0;      ///< regression: f(x)
  double violation = 0;       ///< how far inside the margin (LossValue::violation)
  std::optional<double> task_loss{};  ///< Delta(y, prediction), where the outputs have distances
};

/// What one round showed. Losses and mistakes are of the model before the round.
struct RoundOutcome {
  bool finished = false;
  bool converged = false;           ///< finished with what was asked for, not at a limit
  bool whole_set = false;           ///< the counts below are over the training set, not this round's examples
  std::uint64_t examples = 0;       ///< processed in this round; of a mini-batch: all of it
  double mean_loss = 0;             ///< solvers: rounds before the last may leave out shrunk examples
  std::uint64_t mistakes = 0;       ///< examples predicted wrongly
  std::uint64_t margin_errors = 0;  ///< examples inside the margin, that is with a nonzero hinge loss
  std::optional<double> task_loss{};  ///< mean Delta(y, prediction), where the outputs have distances
};

/// Base of what the learners of a component report about a test beyond TestOutcome.
struct TestDetails {
  virtual ~TestDetails() = default;
};

/// A model on a test set.
struct TestOutcome {
  std::size_t examples = 0;
  std::size_t mistakes = 0;
  bool finite = true;                        ///< no score was infinite or not a number
  double squared_error = 0;                  ///< regression: sum of (f(x) - y)^2, y without noise where known
  std::optional<double> mean_loss{};         ///< where the method reports it
  std::optional<double> regularised_risk{};  ///< the same with c/2 ||f||^2
  std::optional<double> task_loss{};         ///< mean Delta(y, prediction), where the outputs have distances
  std::shared_ptr<const TestDetails> details{};  ///< what a component adds; null: nothing
};

/// The model on its training set.
struct TrainingOutcome {
  double mean_loss = 0;                 ///< hinge loss
  std::uint64_t nonzero_loss = 0;       ///< examples with a loss above 0
  std::optional<double> worst_share{};  ///< share of the loss that its largest hundredth of examples have
  std::optional<double> objective{};    ///< of methods with one: lambda/2 ||w||^2 + mean loss
};

/// What every learner tells of itself.
class Learner {
 public:
  virtual ~Learner() = default;

  /// Names of the learner's own trace columns.
  virtual std::vector<std::string> Columns() const = 0;
  /// Their values after the last step or round; `out` has Columns().size() entries.
  virtual void Report(std::span<double> out) const = 0;

  virtual std::size_t support_vectors() const = 0;
  virtual const KernelCounts& counts() const = 0;
  /// The current model on the test set of the context, counted as evaluation cost.
  virtual TestOutcome Test() = 0;
};

/// Learns from a recorded stream, one example a step.
class StreamLearner : public Learner {
 public:
  /// Tells which examples will come, in order, before the first step: kernel rows may then be evaluated
  /// ahead.
  virtual void Announce(std::span<const std::uint32_t> order) = 0;
  /// One prequential step on a training example.
  virtual StepOutcome Step(std::uint32_t example) = 0;
};

/// Learns from a training set in rounds.
class RoundLearner : public Learner {
 public:
  /// One round on these training examples, all different; methods that select their examples themselves get
  /// none.
  /// Not called again once it has finished.
  virtual RoundOutcome Round(std::span<const std::uint32_t> batch) = 0;
  /// Called after the last round until it returns true, for methods with a finishing step: each call does a
  /// piece of it. Most have none.
  virtual bool Finish() { return true; }
};

/// A batch solver.
class SolverLearner : public Learner {
 public:
  /// The examples to solve for, before the first round.
  virtual void Announce(std::span<const std::uint32_t> order) = 0;
  /// A piece of the work. Not called again once it has finished.
  virtual RoundOutcome Round() = 0;
};

/// A learner whose loss over its training set can be measured.
class MeasuresTraining {
 public:
  virtual ~MeasuresTraining() = default;
  /// The current model on its training set, counted as evaluation cost.
  virtual TrainingOutcome MeasureTraining() = 0;
};

/// Where examples are ranked.
enum class RankedPart { kTraining, kTest };

/// A learner that ranks examples by how far they lie inside the margin.
class RanksExamples {
 public:
  virtual ~RanksExamples() = default;
  /// LossValue::violation of each of these rows under the current model, counted as evaluation cost.
  virtual void Violations(RankedPart part, std::span<const std::uint32_t> rows, std::span<double> out) = 0;
};

/// A learner that goes on when its training rows come in chunks, and whose state can be kept. What it needs
/// of rows that are gone it holds itself, but for those of RetainedRows(): a stream may be longer than memory.
class Resumable {
 public:
  virtual ~Resumable() = default;
  /// Rows of the training set that the learner will ask for again, by index: the support vectors of methods
  /// that keep no copies of them.
  virtual std::span<const std::uint32_t> RetainedRows() const = 0;
  /// The training set (LearnerContext::train, with `open`) has other contents now: the rows of RetainedRows(), in
  /// that order, then new ones. Labels and layout are of the same kind, features as many.
  virtual void OnRowsAppended() = 0;
  /// Writes, or reads, all that decides what the learner does next, counts included, but for the training
  /// rows. What is read was written by a learner of the same parameters and kernel whose training rows were
  /// those of RetainedRows(), as they are now. Throws InvalidArgument for anything else.
  virtual void Serialize(Archive& archive) = 0;
};

/// Base of a component's options for the outputs of structured examples.
struct OutputOptions {
  virtual ~OutputOptions() = default;
};

/// What a learner is built for. The examples must outlive the learner.
template <class T>
struct LearnerContext {
  const Examples<T>* train = nullptr;
  const Examples<T>* test = nullptr;  ///< may be null: then Test() is not called
  Kernel kernel;
  const LabelTree* tree = nullptr;  ///< of the classes of both; null: there is none
  const OutputOptions* outputs = nullptr;  ///< of structured examples; null: there are none
  std::size_t lookahead = 48;            ///< look-ahead rows; changes speed and `computed`, never a result
  std::size_t batch = 0;            ///< examples of one round, where the method draws them itself
  std::uint64_t seed = 0;           ///< of the method's own draws
  std::size_t steps = 0;            ///< examples that the stream will show
  /// Training rows come in chunks, as many as there may be, and `train` has the first of them: for methods
  /// that are Resumable. One chunk may lack classes, and need not have rows.
  bool open = false;
};

}  // namespace okbench
