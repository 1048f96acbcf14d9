#pragma once
// Learner: an online learner on one recorded stream, and LearnerInfo: what the registry knows of a method.
//
// Two ways of learning. Prequential: Step(i) predicts example i with the model of the steps before, scores
// it, then learns from it. In rounds: Round(batch) does the same with several examples of a training set at
// once, drawn by the harness or selected by the learner itself. A learner is pure computation: no files,
// clocks, threads or printing. One learner belongs to one trial; it is not thread-safe.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "learners/api/cost_model.h"
#include "learners/api/parameters.h"
#include "learners/core/examples.h"
#include "learners/core/ledger.h"
#include "learners/kernels/kernel.h"

namespace okbench {

/// What one step showed, before the example was learned from.
struct StepOutcome {
  double loss = 0;            ///< loss of the example under the model before the step
  bool mistake = false;       ///< wrong prediction; f(x) = 0 counts as one. Novelty: the example was flagged
  bool margin_error = false;  ///< the margin was violated, or the target lay outside the tube
  double prediction = 0;      ///< regression: f(x)
  double violation = 0;       ///< how far inside the margin (LossValue::violation)
};

/// A model on a test set.
struct TestOutcome {
  std::size_t examples = 0;
  std::size_t mistakes = 0;
  bool finite = true;                        ///< no score was infinite or not a number
  double squared_error = 0;                  ///< regression: sum of (f(x) - y)^2, y without noise where known
  std::optional<double> mean_loss{};         ///< where the method reports it
  std::optional<double> regularised_risk{};  ///< the same with c/2 ||f||^2
};

/// Where examples are ranked.
enum class RankedPart { kTraining, kTest };

/// What shows a learner its examples.
enum class Protocol {
  kStream,       ///< Step on every example of a recorded stream
  kMiniBatches,  ///< Round on mini-batches that the harness draws from the training set
  kSelection,    ///< Round on examples that the learner selects from the training set itself
  kSolver,       ///< rounds of a batch solver on the announced examples, until it has finished
};

/// What one round showed. Losses and mistakes are of the model before the round.
struct RoundOutcome {
  bool finished = false;
  bool converged = false;           ///< finished with what was asked for, not at a limit
  bool whole_set = false;           ///< the counts below are over the training set, not this round's examples
  std::uint64_t examples = 0;       ///< processed in this round
  double mean_loss = 0;             ///< solvers: rounds before the last may leave out shrunk examples
  std::uint64_t mistakes = 0;       ///< examples predicted wrongly
  std::uint64_t margin_errors = 0;  ///< examples inside the margin, that is with a nonzero hinge loss
};

/// The model on its training set.
struct TrainingOutcome {
  double mean_loss = 0;               ///< hinge loss
  std::uint64_t nonzero_loss = 0;     ///< examples with a loss above 0
  std::optional<double> objective{};  ///< of methods with one: lambda/2 ||w||^2 + mean loss
};

class Learner {
 public:
  virtual ~Learner() = default;

  /// One round on these training examples, all different; methods that select their examples themselves and
  /// batch solvers get none. Not called again once it has finished.
  virtual RoundOutcome Round(std::span<const std::uint32_t> /*batch*/) { return {.finished = true}; }
  /// Called after the last round until it returns true, for methods with a finishing step: each call does a
  /// piece of it.
  virtual bool Finish() { return true; }

  /// Tells which examples will come, in order, so that kernel rows may be evaluated ahead. Optional.
  virtual void Announce(std::span<const std::uint32_t> /*order*/) {}
  /// One prequential step on a training example.
  virtual StepOutcome Step(std::uint32_t /*example*/) { return {}; }

  /// Names of the learner's own trace columns.
  virtual std::vector<std::string> Columns() const = 0;
  /// Their values after the last step; `out` has Columns().size() entries.
  virtual void Report(std::span<double> out) const = 0;

  virtual std::size_t support_vectors() const = 0;
  virtual const KernelCounts& counts() const = 0;
  /// The current model on the test set of the context, counted as evaluation cost.
  virtual TestOutcome Test() = 0;
  /// The current model on its training set, counted as evaluation cost; nothing when the method has no such
  /// measure (see LearnerInfo::measures_training).
  virtual std::optional<TrainingOutcome> MeasureTraining() { return std::nullopt; }
  /// How far each of these rows lies inside the margin of the current model (LossValue::violation), counted as
  /// evaluation cost; see LearnerInfo::ranks_examples.
  virtual void Violations(RankedPart /*part*/, std::span<const std::uint32_t> /*rows*/,
                          std::span<double> /*out*/) {}
};

/// What a learner is built for. The examples must outlive the learner.
template <class T>
struct LearnerContext {
  const Examples<T>* train = nullptr;
  const Examples<T>* test = nullptr;  ///< may be null: then Test() is not called
  Kernel kernel;
  std::size_t tile = 48;   ///< look-ahead rows; changes speed and `computed`, never a result
  std::size_t batch = 0;   ///< examples of one round, where the method draws them itself
  std::uint64_t seed = 0;  ///< of the method's own draws
  std::size_t steps = 0;   ///< examples that the stream will show
};

/// A method as the registry knows it. Each method's folder defines Describe() returning one.
struct LearnerInfo {
  std::string name;
  std::string title;
  std::string paper;   ///< short name of the paper and section
  std::string update;  ///< the step in one line
  std::vector<Parameter> parameters;
  Protocol protocol = Protocol::kStream;
  bool measures_training = false;  ///< has MeasureTraining
  bool ranks_examples = false;     ///< has Violations
  /// Counts, memory and other work to expect. Throws InvalidArgument where parameters contradict each other.
  std::function<Cost(const ParameterValues&, const Workload&)> cost_model;
  std::function<std::unique_ptr<Learner>(const ParameterValues&, const LearnerContext<float>&)> make_float;
  std::function<std::unique_ptr<Learner>(const ParameterValues&, const LearnerContext<double>&)> make_double;

  std::unique_ptr<Learner> Make(const ParameterValues& values, const LearnerContext<float>& context) const {
    return make_float(values, context);
  }
  std::unique_ptr<Learner> Make(const ParameterValues& values, const LearnerContext<double>& context) const {
    return make_double(values, context);
  }
};

}  // namespace okbench
