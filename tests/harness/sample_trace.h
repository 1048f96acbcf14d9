#pragma once
// A small trace for tests.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "harness/measures/trace.h"
#include "harness/plan/canonical.h"

namespace okbench::testing {

inline Trace SampleTrace(const std::string& experiment = "a/b") {
  Trace trace;
  trace.spec = {{"experiment", experiment}};
  trace.trial_id = TrialId(trace.spec);
  trace.summary = {{"examples", 3}};
  trace.provenance = {{"synthetic", false}};
  trace.tables.push_back(
      {"trace",
       {{"step", true, std::vector<std::int64_t>{1, 2, 3}},
        {"kernel_computed", false, std::vector<std::int64_t>{1, 5, 9}},
        {"loss", true, std::vector<double>{0.1, -0.0, std::numeric_limits<double>::min()}}}});
  trace.tables.push_back({"checkpoints", {{"step", true, std::vector<std::int64_t>{}}}});
  return trace;
}

/// Its column "loss".
inline std::vector<double>& Loss(Trace& trace) {
  return std::get<std::vector<double>>(trace.tables[0].columns[2].values);
}

}  // namespace okbench::testing
