#pragma once
// Estimate: the time and memory of a trial before it runs, from its cost and the rates of a machine.

#include <cstdint>
#include <string>

#include "harness/plan/plan.h"

namespace okbench {

/// Seconds that one core takes for one unit of each kind of work.
struct Rates {
  double kernel_value = 0;        ///< of this trial's kernel on this trial's rows
  double followed_value = 0;      ///< the same with its addition to a score that follows coefficients
  double scored_value = 0.3e-9;   ///< of adding a kernel value that is there to a score
  double multiply_add = 0.1e-9;   ///< of the same for each further output
  double streamed_byte = 0.1e-9;  ///< of held kernel rows
  /// Of one kernel value of a learner with this cost, as part of a score.
  double ValueOf(const Cost& cost) const {
    return cost.follows_scores ? followed_value : kernel_value + scored_value;
  }
  /// Without measuring: of a core of 2023, good enough to sort trials by.
  static Rates Nominal(const Trial& trial);
};

struct TrialEstimate {
  double computed = 0;      ///< kernel values evaluated for learning
  double evaluation = 0;    ///< kernel values evaluated to measure
  double seconds = 0;       ///< of one core, loading its data not included
  std::uint64_t bytes = 0;  ///< of memory besides the data sets, at most
};

/// Of the program itself, and of reading a file of data.
inline constexpr std::uint64_t kProcessBytes = std::uint64_t{64} << 20;

/// `workload` is the trial's own, or a better one, with what is known of the rows.
TrialEstimate Estimate(const Trial& trial, const Workload& workload, const Rates& rates);

/// "40 ms", "4.0 s", "12 s", "3.1 min", "3.1 h".
std::string TimeText(double seconds);
/// "310 KiB", "12 MiB", "1.2 GiB".
std::string BytesText(double bytes);

}  // namespace okbench
