#pragma once
// First step of planning: expands the grids of a spec into combinations.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/spec/spec.h"

namespace okbench {

/// One value per axis, by name of the axis.
using Point = std::map<std::string, SpecValue>;

/// Calls `visit` for every combination of the values of `axes`; the last axis varies fastest. One empty point
/// if there are no axes.
void ForEachPoint(const std::vector<Axis>& axes, const std::function<void(const Point&)>& visit);

/// A value for a training set of `n` examples: divided by n if the spec says so.
ParameterValue ValueFor(const SpecValue& given, std::uint64_t n);

/// The values of a point for `n` training examples: "lambda=0.95,buffer=256".
std::string PointText(const std::vector<Axis>& axes, const Point& point, std::uint64_t n);

/// `kernel` with the kernel values of a point.
Kernel KernelAt(Kernel kernel, const Point& point);

/// One learner with one kernel, one batch size, one label delay and one point of its grid. Refers to an entry
/// of the spec.
struct Combination {
  const LearnerEntry* entry = nullptr;
  Point kernel;
  /// Rows of a mini-batch, or their share of the training set; 0 for learners without mini-batches.
  ParameterValue batch;
  std::uint64_t delay = 0;  ///< steps until a label becomes known
  Point point;
};

/// Calls `visit` for kernel grid x learners x batch sizes x delays x learner grid, the last fastest.
/// Throws SpecError if a learner needs data.batch and the spec has none.
void ForEachCombination(const Spec& spec, const std::function<void(const Combination&)>& visit);

/// Number of trials of a spec, including folds, without making them. Throws like
/// ForEachCombination().
double CountTrials(const Spec& spec);

/// Whether a learner is tuned on prefixes of its stream; all others are tuned by cross validation.
bool OnPrefixes(const LearnerEntry& entry);

/// Throws the SpecError "SPEC: learner 'KEY' CAUSE".
[[noreturn]] void FailLearner(const Spec& spec, const LearnerEntry& entry, const std::string& cause);

}  // namespace okbench
