#pragma once
// The regularisation constant of SFD's updates.

#include <cstddef>
#include <cstdint>

#include "learners/api/parameter_table.h"

namespace okbench {

/// lambda_t, t = 1, 2, ...: k examples a round, N of the training set.
struct UpdateSchedule {
  /// 1/k and t/N of the thesis, then c/k, c t/N, c t^exponent, c exp(exponent t). The last two, with an
  /// exponent above 1 and above 0, are those of corollary 1.
  enum class Kind { kSfd1, kSfd2, kOverBatch, kOverSet, kPower, kGeometric };
  Kind kind = Kind::kSfd1;
  double c = 1;
  double exponent = 1;
  double At(std::uint64_t t, std::size_t k, std::size_t n) const;
  /// Throws InvalidArgument for a c that the schedule does not have.
  void Validate() const;
};

/// Names and values of the parameter.
Choices<UpdateSchedule::Kind> ScheduleChoices();
inline constexpr const char* kScheduleHelp =
    "lambda_t: the thesis' SFD1 (1/k) and SFD2 (t/N), or one with c; t counts rounds from 1";

}  // namespace okbench
