#pragma once
// Estimate: time and memory of a trial before it runs, from its cost model and the rates of a machine.

#include <cstdint>
#include <string>

#include "harness/plan/plan.h"

namespace okbench {

/// Seconds of one core per unit of work.
struct Rates {
  double kernel_value = 0;        ///< per kernel value, for this trial's kernel and rows
  double incremental_value = 0;   ///< kernel_value with the addition to an incrementally updated score
  double scored_value = 0.3e-9;   ///< per addition of a computed kernel value to a score
  double multiply_add = 0.1e-9;   ///< per addition for each further output
  double streamed_byte = 0.1e-9;  ///< per byte of cached kernel rows read from memory
  /// Seconds per kernel value including its addition to a score, for a learner with this cost.
  double ValueOf(const Cost& cost) const {
    return cost.incremental_scores ? incremental_value : kernel_value + scored_value;
  }
  /// Rates of a typical core of 2023, without measurement. Accurate enough to order trials by duration.
  static Rates Nominal(const Trial& trial);
};

struct TrialEstimate {
  double computed = 0;      ///< kernel values computed for learning
  double evaluation = 0;    ///< kernel values computed to measure errors
  double seconds = 0;       ///< seconds of one core, without loading the data
  std::uint64_t bytes = 0;  ///< upper bound of the memory besides the data sets
};

/// Memory of the program itself and of reading a data file, in bytes.
inline constexpr std::uint64_t kProcessBytes = std::uint64_t{64} << 20;

/// Estimates a trial. `workload` is trial.workload, possibly refined with measured properties of the rows.
TrialEstimate Estimate(const Trial& trial, const Workload& workload, const Rates& rates);

/// Formats seconds: "40 ms", "4.0 s", "12 s", "3.1 min", "3.1 h".
std::string TimeText(double seconds);
/// Formats bytes: "310 KiB", "12 MiB", "1.2 GiB".
std::string BytesText(double bytes);

}  // namespace okbench
