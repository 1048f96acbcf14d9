#pragma once
// Grid axes: parameter values as written in a spec.

#include <string>
#include <vector>

#include "learners/api/parameters.h"

namespace okbench {

/// One parameter value. With `divide_by_n`, the parameter is value / n.
/// n is the number of examples in one epoch, or in the training set for learners in rounds.
/// In cross validation, n is the size of the training set before it is split into folds.
struct SpecValue {
  ParameterValue value;
  bool divide_by_n = false;
};

/// One parameter and the values to run it with.
struct Axis {
  std::string name;
  std::vector<SpecValue> values;
};

}  // namespace okbench
