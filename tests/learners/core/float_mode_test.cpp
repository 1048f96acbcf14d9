// Floating-point mode: the scope restores rounding and subnormal numbers, and the mode of before after it.

#include "learners/core/float_mode.h"

#include <cfenv>
#include <limits>
#if defined(__SSE2__)
#include <xmmintrin.h>

#include "tests/catch.h"
#endif

namespace okbench {
namespace {

// Computed at run time, in the current mode.
double Half(double x) {
  const volatile double value = x;
  return value / 2;
}
double Sum(double x, double y) {
  const volatile double first = x, second = y;
  return first + second;
}

TEST_CASE("floating-point mode: rounding upwards is replaced and restored", "[core]") {
  std::fesetround(FE_UPWARD);
  CHECK(Sum(1, 0x1p-60) > 1);
  {
    const FloatMode mode;
    CHECK(Sum(1, 0x1p-60) == 1);
  }
  CHECK(Sum(1, 0x1p-60) > 1);
  std::fesetround(FE_TONEAREST);
}

#if defined(__SSE2__)
TEST_CASE("floating-point mode: flush-to-zero is replaced and restored", "[core]") {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);  // flush results to zero, read subnormals as zero
  CHECK(Half(std::numeric_limits<double>::min()) == 0);
  {
    const FloatMode mode;
    CHECK(Half(std::numeric_limits<double>::min()) > 0);
  }
  CHECK(Half(std::numeric_limits<double>::min()) == 0);
  _mm_setcsr(before);
}
#endif

}  // namespace
}  // namespace okbench
