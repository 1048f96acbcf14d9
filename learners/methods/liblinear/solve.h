#pragma once
// LIBLINEAR's shared library, loaded when a solver first needs it, in a process of its own: it brings a BLAS
// with threads of its own, which no other learner and no other verb should have to start, and it writes to
// memory that it was not given, which ends its process.

#include <chrono>
#include <cstdint>
#include <vector>

namespace okbench::liblinear {

/// min_w ||w||^2 / 2 + C sum_i max(0, 1 - y_i <w, x_i>), by its solver 3 (dual coordinate descent, no bias).
struct Problem {
  std::uint64_t features = 0;
  double cost = 1;  ///< C
  double tolerance = 1e-3;
  std::vector<double> labels{};         ///< y_i: -1 or 1
  std::vector<std::uint64_t> ends{};    ///< of row i among the entries
  std::vector<std::int32_t> indices{};  ///< from 0 up, below `features`, ascending in a row
  std::vector<double> values{};
};

/// Of wall-clock time, since it was made.
class Stopwatch {
 public:
  double Seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

struct Solution {
  std::vector<double> weights;  ///< of each feature
  bool converged = false;       ///< not when it stopped at its limit of iterations
  double seconds = 0;           ///< that LIBLINEAR took, once it had the data
};

/// Starts the process, and loads the library there, so that no solution has to wait for it. Throws
/// ContainedError when it is not installed or cannot be loaded.
void Prepare();

/// The same bits for the same problem. Thread-safe, one at a time. Throws ContainedError when its process
/// ends before it answers, std::bad_alloc where memory is short.
Solution Solve(Problem problem);

}  // namespace okbench::liblinear
