#pragma once
// FloatMode: sets the default floating-point mode of the calling thread for its lifetime.
//
// A library in the process may have set another mode: flush-to-zero (compilers set it for programs with
// -ffast-math) or another rounding changes the bits of results.

#include <cfenv>

namespace okbench {

class FloatMode {
 public:
  /// Sets rounding to nearest, with subnormal numbers and without traps. Throws UnsupportedMachine if the
  /// mode cannot be set.
  FloatMode();
  /// Restores the previous mode.
  ~FloatMode();
  FloatMode(const FloatMode&) = delete;
  FloatMode& operator=(const FloatMode&) = delete;

 private:
  std::fenv_t before_;
};

}  // namespace okbench
