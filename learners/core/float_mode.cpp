#include "learners/core/float_mode.h"

#include <limits>

#include "base/error.h"

namespace okbench {

FloatMode::FloatMode() {
  std::fegetenv(&before_);
  std::fesetenv(FE_DFL_ENV);
  // Computed at run time, in the mode just set.
  const volatile double smallest = std::numeric_limits<double>::min(), augend = 1, half_unit = 0x1p-53;
  const volatile double subnormal = smallest / 2, tie_down = augend + half_unit,
                        up = augend + 1.5 * half_unit;
  if (subnormal == 0 || tie_down != 1 || up == 1) {
    std::fesetenv(&before_);
    throw UnsupportedMachine("the floating-point mode cannot be set to rounding to nearest with subnormals");
  }
}

FloatMode::~FloatMode() { std::fesetenv(&before_); }

}  // namespace okbench
