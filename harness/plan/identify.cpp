#include "harness/plan/identify.h"

#include "harness/plan/canonical.h"

namespace okbench {

Trial Identified(Trial trial, const PlannedData& data) {
  const std::uint64_t value_bytes = trial.double_precision ? sizeof(double) : sizeof(float);
  const bool stream = trial.info->protocol == Protocol::kStream;
  trial.workload = {.examples = trial.examples,
                    .training = stream ? trial.train_plan.rows : trial.training,
                    .batch = trial.batch,
                    .outputs = data.outputs,
                    .candidates = data.candidates,
                    .candidate_bytes = data.candidate_bytes,
                    .entries = static_cast<double>(data.entries),
                    .row_bytes = data.features * value_bytes,
                    .value_bytes = value_bytes};
  trial.cost = trial.info->cost_model(trial.parameters, trial.workload);
  trial.canonical = Canonical(trial);
  trial.id = TrialId(trial.canonical);
  return trial;
}

}  // namespace okbench
