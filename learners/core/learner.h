#pragma once
// Learner: an online learner on one recorded stream, and LearnerInfo: what the registry knows of a method.
//
// Prequential protocol: Step(i) predicts example i with the model of the steps before, scores it, then learns
// from it. A learner is pure computation: no files, clocks, threads or printing. One learner belongs to
// one trial; it is not thread-safe.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "learners/core/examples.h"
#include "learners/core/ledger.h"
#include "learners/core/parameters.h"
#include "learners/kernels/kernel.h"

namespace okbench {

/// What one step showed, before the example was learned from.
struct StepOutcome {
  double loss = 0;            ///< loss of the example under the model before the step
  bool mistake = false;       ///< wrong prediction; f(x) = 0 counts as one. Novelty: the example was flagged
  bool margin_error = false;  ///< the margin was violated
};

/// Mistakes over a test set.
struct TestOutcome {
  std::size_t examples = 0;
  std::size_t mistakes = 0;
};

/// State of a batch method after one round of its solver.
struct BatchOutcome {
  bool finished = false;
  bool converged = false;  ///< finished with what was asked for, not at a limit
  double mean_loss = 0;    ///< over the training set; rounds before the last may leave out shrunk examples
  std::uint64_t mistakes = 0;       ///< training examples predicted wrongly
  std::uint64_t margin_errors = 0;  ///< training examples inside the margin
};

class Learner {
 public:
  virtual ~Learner() = default;

  /// A batch method trains on the announced examples in rounds instead of steps.
  virtual bool batch() const { return false; }
  /// One round of a batch method, after Announce; not called again once it is finished.
  virtual BatchOutcome Round() { return {.finished = true}; }

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
};

/// What a learner is built for. The examples must outlive the learner.
template <class T>
struct LearnerContext {
  const Examples<T>* train = nullptr;
  const Examples<T>* test = nullptr;  ///< may be null: then Test() is not called
  Kernel kernel;
  std::size_t tile = 48;  ///< look-ahead rows; changes speed and `computed`, never a result
};

/// A method as the registry knows it. Each method's folder defines Describe() returning one.
struct LearnerInfo {
  std::string name;
  std::string title;
  std::string paper;   ///< short name of the paper and section
  std::string update;  ///< the step in one line
  std::vector<Parameter> parameters;
  bool batch = false;  ///< trains in rounds over the whole stream, which must be one epoch
  /// Upper bound of the kernel evaluations requested by n steps; an estimate for batch methods.
  std::function<std::uint64_t(const ParameterValues&, std::uint64_t n)> expected_evaluations;
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
