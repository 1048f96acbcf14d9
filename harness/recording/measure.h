#pragma once
// Measure: what a trial records of the outcomes of steps, rounds and tests.
//
// A measure turns outcomes into named columns of a trace and values of its summary. To add one, add a file
// NAME.cpp to this folder with a class and a function `MeasureInfo Describe()` in namespace
// okbench::measures::NAME. The build registers it. A measure belongs to one trial and is not thread-safe.

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/measures/prediction_sums.h"
#include "harness/plan/plan.h"
#include "harness/recording/table_writer.h"
#include "harness/trace/trace.h"
#include "learners/api/learner.h"
#include "learners/core/archive.h"

namespace okbench {

/// The trial that a measure belongs to.
struct MeasureContext {
  const Trial& trial;
  bool test = false;        ///< checkpoints measure a test set
  bool training = false;    ///< checkpoints measure the training set
  bool regression = false;  ///< targets are real numbers
  bool one_feature = false;
  /// Shape of the predictions. Valid during OnStep() and OnTest().
  std::function<PredictionShape()> shape{};
  /// The prediction for test example i. Its scores are valid until the next call.
  std::function<Prediction(const TestOutcome&, std::size_t)> test_prediction{};
};

/// The target of a step, if it is a real number.
struct RealStep {
  double target = 0;            ///< as the learner sees it
  double truth = 0;             ///< without noise where that is known, else `target`
  std::optional<double> input;  ///< the feature, if there is only one
};

/// How much a trial has shown its learner.
struct Progress {
  std::uint64_t processed = 0;  ///< examples shown
  std::uint64_t counted = 0;    ///< examples that sums are over: those shown, or the whole training set
};

/// Position of the columns of a measure in a table, relative to the columns that the recorder writes.
enum class ColumnGroup {
  kStepCounts,  ///< "trace": before the support vectors
  kStepLosses,  ///< "trace": before the learner's own columns
  kStepEnd,     ///< "trace": last
  kTestCounts,  ///< "checkpoints": before the kernel evaluations
  kTest,        ///< "checkpoints": after the kernel evaluations
  kTraining,    ///< "checkpoints": after all of kTest
};

class Measure {
 public:
  virtual ~Measure() = default;

  /// A step of a stream. `real` is null unless targets are real numbers, `prediction` if nothing needs it.
  virtual void OnStep(const StepOutcome& /*outcome*/, const RealStep* /*real*/,
                      const Prediction* /*prediction*/) {}
  /// A round on `training` training examples in all.
  virtual void OnRound(const RoundOutcome& /*outcome*/, std::uint64_t /*training*/) {}
  /// A test. Throws TrialFailure when a value is not finite.
  virtual void OnTest(const TestOutcome& /*outcome*/, std::uint64_t /*t*/, std::uint64_t /*examples*/) {}
  virtual void OnTraining(const TrainingOutcome& /*outcome*/) {}

  /// Adds the columns of this group, as of the last outcome, to a row.
  virtual void Write(TableWriter& /*row*/, ColumnGroup /*group*/) const {}
  /// Adds the tables of this measure to the trace.
  virtual void AddTables(std::vector<Table>& /*tables*/) const {}
  /// Adds values to the summary. `learner` is the one that was measured.
  virtual void Summarize(nlohmann::json& /*summary*/, const Progress& /*progress*/,
                         const Learner& /*learner*/) const {}
  /// Serializes what the measure has summed over steps and rounds, for the trace of a saved learner.
  virtual void Serialize(Archive& /*archive*/) {}
  /// The error of the last test, for measures that define the test error of a task.
  virtual std::optional<double> test_error() const { return std::nullopt; }
};

/// A column of a trace, or a value of its summary.
struct MeasureField {
  std::string table;  ///< "trace", "checkpoints" or another table; "summary"
  std::string name;
  std::string meaning;
};

struct MeasureInfo {
  std::string name;
  std::string title;
  std::vector<MeasureField> fields;  ///< everything that the measure writes, for `okbench help measures`
  /// Order of the columns of measures in one group. Part of the trace format: never reuse or change.
  int order = 0;
  std::function<bool(const MeasureContext&)> applies;
  std::function<std::unique_ptr<Measure>(const MeasureContext&)> make;
};

/// All measures in this build, sorted by `order`.
const std::vector<MeasureInfo>& Measures();

/// The measures of one trial.
class MeasureSet {
 public:
  explicit MeasureSet(const MeasureContext& context);

  void OnStep(const StepOutcome& outcome, const RealStep* real, const Prediction* prediction);
  void OnRound(const RoundOutcome& outcome, std::uint64_t training);
  void OnTest(const TestOutcome& outcome, std::uint64_t t, std::uint64_t examples);
  void OnTraining(const TrainingOutcome& outcome);
  void Write(TableWriter& row, ColumnGroup group) const;
  void AddTables(std::vector<Table>& tables) const;
  void Summarize(nlohmann::json& summary, const Progress& progress, const Learner& learner) const;
  void Serialize(Archive& archive);
  /// REQUIRES: a test has been measured.
  double test_error() const;

 private:
  std::vector<std::unique_ptr<Measure>> measures_;
};

/// `value` as JSON, or null.
nlohmann::json OrNull(bool present, double value);

}  // namespace okbench
