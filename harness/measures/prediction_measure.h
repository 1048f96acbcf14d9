#pragma once
// PredictionMeasure: a measure by name, computed from predictions and labels: accuracy, kappa, AUC, ...
//
// A spec chooses measures of predictions with [measures]. Each is over all predictions so far, or over a
// window of the last ones. To add one, add a file NAME.cpp with `PredictionMeasureInfo Describe()` in
// namespace okbench::prediction_measures::NAME to this folder. The build registers it.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "harness/measures/prediction_sums.h"

namespace okbench {

/// What a measure needs.
enum class MeasureNeeds {
  kClasses,        ///< labels and predicted classes
  kRanks,          ///< labels and scores
  kProbabilities,  ///< labels, and scores that give probabilities
  kTargets,        ///< real targets
  kNovelty,        ///< flags of a novelty detector
};

struct PredictionMeasureInfo {
  std::string name;
  std::string title;       ///< with the unit, if the measure has a unit
  std::string definition;  ///< equation or words, as `okbench help measures` prints it
  std::string source;      ///< empty: common knowledge
  MeasureNeeds needs = MeasureNeeds::kClasses;
  bool percent = false;     ///< figures show the value in percent
  bool larger = false;      ///< larger values are better
  bool sequential = false;  ///< compares with predictions from earlier labels, so not for test sets
  /// The value for at least one prediction. NaN where the measure is undefined.
  std::function<double(const PredictionSums&)> value;
};

/// All measures of predictions, sorted by name.
const std::vector<PredictionMeasureInfo>& PredictionMeasures();

/// The measure of this name. Throws InvalidArgument, with the nearest name, if the name is
/// unknown.
const PredictionMeasureInfo& FindPredictionMeasure(const std::string& name);

/// Why a measure cannot be computed from predictions of this kind; empty if it can.
std::string UnfitFor(const PredictionMeasureInfo& measure, const PredictionShape& shape);

/// (p_0 - p_e) / (1 - p_e) with p_0 the accuracy; 0 if p_e = 1. `chance_right` is p_e times the predictions.
double KappaAgainst(const PredictionSums& sums, double chance_right);

/// Calls visit(recall) for every class that occurs among the labels.
template <class Visit>
void ForEachRecall(const PredictionSums& sums, const Visit& visit) {
  for (std::size_t c = 0; c < sums.classes(); ++c)
    if (sums.labels(c) > 0) visit(sums.right(c) / sums.labels(c));
}

/// A measure over all predictions (window 0), or over the last `window` of them.
struct MeasureRequest {
  std::string measure;
  std::size_t window = 0;
  /// "kappa" or "kappa@1000".
  std::string Name() const { return measure + (window > 0 ? "@" + std::to_string(window) : ""); }
  bool operator==(const MeasureRequest&) const = default;
};

/// Parses NAME or NAME@WINDOW. Throws InvalidArgument.
MeasureRequest ParseMeasureRequest(const std::string& text);

/// Computes several measures of one sequence of predictions. Not thread-safe.
class PredictionMeter {
 public:
  /// Leaves out measures that do not fit `shape`.
  PredictionMeter(const PredictionShape& shape, const std::vector<MeasureRequest>& requests);

  void Add(const Prediction& prediction);
  /// Calls visit(request, value) for every measure, in the order of the requests. NaN before the first
  /// prediction.
  void ForEach(const std::function<void(const MeasureRequest&, double)>& visit) const;

 private:
  struct RequestedMeasure {
    MeasureRequest request;
    const PredictionMeasureInfo* info;
    std::size_t sums;
  };

  PredictionSequence sequence_;
  std::vector<RequestedMeasure> wanted_;
  std::vector<PredictionSums> sums_;  // one per window
};

}  // namespace okbench
