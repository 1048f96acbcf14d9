#include "learners/bases/update_schedule.h"

#include <string>

#include "base/error.h"
#include "learners/core/math.h"

namespace okbench {

double UpdateSchedule::At(std::uint64_t t, std::size_t k, std::size_t n) const {
  switch (kind) {
    case Kind::kSfd1:
    case Kind::kOverBatch:
      return c / static_cast<double>(k);
    case Kind::kSfd2:
    case Kind::kOverSet:
      return c * static_cast<double>(t) / static_cast<double>(n);
    case Kind::kPower:
      return c * Exp(exponent * Log(static_cast<double>(t)));
    case Kind::kGeometric:
      return c * Exp(exponent * static_cast<double>(t));
  }
  return c;
}

void UpdateSchedule::Validate() const {
  const bool thesis = kind == Kind::kSfd1 || kind == Kind::kSfd2;
  if (thesis && c != 1)
    throw InvalidArgument(std::string("schedule = '") + (kind == Kind::kSfd1 ? "sfd1" : "sfd2") +
                          "' needs c = 1; use c/k or c*t/N for another c");
}

Choices<UpdateSchedule::Kind> ScheduleChoices() {
  using enum UpdateSchedule::Kind;
  return {{"sfd1", kSfd1},     {"sfd2", kSfd2},          {"c/k", kOverBatch},
          {"c*t/N", kOverSet}, {"c*t^exponent", kPower}, {"c*exp(exponent*t)", kGeometric}};
}

}  // namespace okbench
