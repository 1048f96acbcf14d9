#pragma once
// The data that a trial asks for.

#include <string>
#include <vector>

#include "harness/plan/plan.h"

namespace okbench {

/// What a trial measures its test error on: the test part, or what its fold holds out. Not for trials without
/// one.
DataRequest TestRequest(const Trial& trial);

/// What a trial learns from and, where it measures, what it measures on.
std::vector<DataRequest> RequestsOf(const Trial& trial);

}  // namespace okbench
