#pragma once
// Values of a grid, as specs give them.

#include <string>
#include <vector>

#include "learners/api/parameters.h"

namespace okbench {

/// A parameter given as value / n, n being the examples of one epoch of the stream, or of the training set of
/// methods that learn in rounds (the whole one, in cross validation, too).
struct GivenValue {
  ParameterValue value;
  bool divide_by_n = false;
};

/// Values of one parameter, each of them run.
struct Axis {
  std::string name;
  std::vector<GivenValue> values;
};

}  // namespace okbench
