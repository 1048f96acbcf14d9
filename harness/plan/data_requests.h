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

/// The whole part that a subset is taken from.
DataRequest Whole(DataRequest request);

/// Everything about a request that decides its rows: requests with equal keys get the same rows.
std::string Key(const DataRequest& request);

}  // namespace okbench
