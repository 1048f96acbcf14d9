#include "harness/cost/estimate.h"

#include <fmt/format.h>

#include "harness/plan/stream_search.h"

namespace okbench {
namespace {

constexpr double kStepSeconds = 0.2e-6;  // to record one step, for any learner
constexpr double kTrialSeconds = 2e-3;   // to write a trace

// Number of rows used to measure the test error.
double TestRows(const Trial& trial) {
  if (trial.data->test_part.empty()) return 0;
  if (!trial.fold()) return static_cast<double>(trial.test_plan->rows);
  return static_cast<double>(trial.training) / static_cast<double>(trial.data->train.fold->folds - 1);
}

// Number of rows measured at each checkpoint.
double MeasuredRows(const Trial& trial) {
  const bool training = trial.trace->training && trial.info->measures_training;
  return TestRows(trial) + (training ? static_cast<double>(trial.training) : 0);
}

// Kernel values per measured row, summed over the checkpoints.
double VectorsMet(const Trial& trial, const Workload& workload, const Cost& cost) {
  if (trial.info->protocol == Protocol::kSolver) return cost.vectors;
  if (cost.changes > 0) return cost.changes;
  double vectors = 0;
  Workload so_far = workload;
  for (std::uint64_t j = 1; j <= trial.trace->checkpoints; ++j) {
    so_far.examples = workload.examples * j / trial.trace->checkpoints;
    vectors += trial.info->cost_model(trial.parameters, so_far).vectors;
  }
  return vectors;
}

}  // namespace

Rates Rates::Nominal(const Trial& trial) {
  const double value = 1.2e-9 + 0.018e-9 * trial.workload.entries;
  return {.kernel_value = value, .incremental_value = value + 0.5e-9};
}

TrialEstimate Estimate(const Trial& trial, const Workload& workload, const Rates& rates) {
  const Cost cost = CostOf(trial, workload);
  const double rows = MeasuredRows(trial);
  TrialEstimate estimate;
  estimate.computed = cost.computed;
  estimate.evaluation = rows * VectorsMet(trial, workload, cost);
  const auto checkpoints = static_cast<double>(trial.trace->checkpoints);
  const auto further_outputs = static_cast<double>(workload.outputs - 1);
  estimate.seconds = (cost.computed + estimate.evaluation) * rates.ValueOf(cost) +
                     (cost.multiply_adds + estimate.evaluation * further_outputs +
                      rows * checkpoints * cost.measuring_adds) *
                         rates.multiply_add +
                     cost.streamed_bytes * rates.streamed_byte +
                     static_cast<double>(workload.examples) * kStepSeconds + kTrialSeconds;
  // Incremental scores also require packed copies of the measured rows.
  const auto packed = static_cast<std::uint64_t>(cost.incremental_scores ? rows : 0);
  estimate.bytes = cost.bytes + packed * (workload.row_bytes + 16) +
                   static_cast<std::uint64_t>(rows) * workload.outputs * sizeof(double);
  return estimate;
}

std::string TimeText(double seconds) {
  if (seconds < 0.95) return fmt::format("{:.0f} ms", 1000 * seconds);
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  if (seconds < 99.5) return fmt::format("{:.0f} s", seconds);
  if (seconds < 99.5 * 60) return fmt::format("{:.1f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string BytesText(double bytes) {
  constexpr double kKibi = 1024;
  if (bytes < kKibi * kKibi) return fmt::format("{:.0f} KiB", bytes / kKibi);
  if (bytes < kKibi * kKibi * kKibi) return fmt::format("{:.0f} MiB", bytes / (kKibi * kKibi));
  return fmt::format("{:.1f} GiB", bytes / (kKibi * kKibi * kKibi));
}

}  // namespace okbench
