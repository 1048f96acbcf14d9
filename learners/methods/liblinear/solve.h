#pragma once
// Calls LIBLINEAR's shared library. It is loaded on first use, because it links a threaded BLAS that no other
// learner or command should start.

#include <chrono>
#include <cstdint>
#include <vector>

namespace okbench::liblinear {

/// min_w ||w||^2 / 2 + C sum_i max(0, 1 - y_i <w, x_i>), for solver 3 (dual coordinate descent, no bias).
struct Problem {
  std::uint64_t features = 0;
  double cost = 1;                      ///< C
  double tolerance = 1e-3;              ///< violation of the optimality conditions at which to stop
  std::vector<double> labels{};         ///< y_i: -1 or 1
  std::vector<std::uint64_t> ends{};    ///< end of row i in `indices` and `values`
  std::vector<std::int32_t> indices{};  ///< from 0, below `features`, ascending within a row
  std::vector<double> values{};         ///< nonzero entries, row after row
};

/// Measures wall-clock time since its construction.
class Stopwatch {
 public:
  double Seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

struct Solution {
  std::vector<double> weights;  ///< one per feature
  bool converged = false;       ///< false: stopped at the iteration limit
  double seconds = 0;           ///< spent in LIBLINEAR's solver
};

/// Loads the library. Throws LibraryError when it is not installed or cannot be loaded.
void Prepare();

/// Solves the problem. Deterministic: equal inputs give identical bits. Thread-safe: calls run one at a time,
/// because LIBLINEAR draws from the C library's global random sequence. Throws LibraryError as Prepare does.
Solution Solve(Problem& problem);

}  // namespace okbench::liblinear
