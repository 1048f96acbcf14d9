#pragma once
// Schedule of the regularisation constant of SFD's updates.

#include <cstddef>
#include <cstdint>

#include "learners/api/parameter_table.h"

namespace okbench {

/// Regularisation constant lambda_t of round t = 1, 2, ..., with k examples per round and N training
/// examples.
struct UpdateSchedule {
  /// The schedules, in this order: 1/k and t/N of the thesis, c/k, c t/N, c t^exponent, c exp(exponent t).
  /// Corollary 1 uses the last two. It requires an exponent > 1 of t, but step (4.15) of its proof,
  /// ||sum u_t||^2 <= sum ||u_t||^2, is false: the triangle inequality needs sum lambda_t^-1/2 to converge,
  /// so an exponent > 2. For c exp(exponent t) any exponent > 0 suffices.
  enum class Kind { kSfd1, kSfd2, kOverBatch, kOverSet, kPower, kGeometric };
  Kind kind = Kind::kSfd1;
  double c = 1;
  double exponent = 1;
  double At(std::uint64_t t, std::size_t k, std::size_t n) const;
  /// Throws InvalidArgument for c != 1 with kSfd1 or kSfd2.
  void Validate() const;
};

/// Choices of the parameter `schedule`.
Choices<UpdateSchedule::Kind> ScheduleChoices();
inline constexpr const char* kScheduleHelp =
    "lambda_t: SFD1 (1/k), SFD2 (t/N), or a schedule with c; t counts rounds from 1";

}  // namespace okbench
