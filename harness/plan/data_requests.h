#pragma once
// Data requests of a trial.

#include <string>
#include <vector>

#include "harness/plan/plan.h"

namespace okbench {

/// Rows to measure the test error on: the test part, or the held-out rows of a fold.
/// REQUIRES: the trial has a test part.
DataRequest TestRequest(const Trial& trial);

/// The training rows and, if the trial has a test part, TestRequest().
std::vector<DataRequest> RequestsOf(const Trial& trial);

}  // namespace okbench
