#pragma once
// A small trace for tests.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "harness/plan/canonical.h"
#include "harness/trace/trace.h"

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

/// A trace as a run writes it, shortened.
inline Trace CompleteTrace(const std::string& experiment = "p/e") {
  Trace trace = SampleTrace();
  trace.spec = {
      {"experiment", experiment},      {"learner", "norma"},
      {"parameters", {{"eta0", 0.5}}}, {"repetition", 0U},
      {"revisions", {{"method", 1}}},  {"data", {{"name", "usps"}, {"digest", "sha256:0"}, {"batch", 1}}}};
  trace.trial_id = TrialId(trace.spec);
  trace.summary = {{"examples", 3},
                   {"error_rate", 0.5},
                   {"test_error", nullptr},
                   {"margin_errors", 1},
                   {"support_vectors", 2U},
                   {"kernel_evaluations", {{"requested", 1U}, {"computed", 9U}, {"evaluation", 3U}}}};
  trace.provenance = {{"learner_key", "l"}, {"grid_point", ""}, {"label", "L"},
                      {"synthetic", false}, {"kernel", "rbf"},  {"wall_seconds", 1.5}};
  return trace;
}

/// Its column "loss".
inline std::vector<double>& Loss(Trace& trace) {
  return std::get<std::vector<double>>(trace.tables[0].columns[2].values);
}

}  // namespace okbench::testing
