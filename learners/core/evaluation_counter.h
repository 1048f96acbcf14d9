#pragma once
// EvaluationCounter counts kernel evaluations, the primary cost axis of okbench.
//
// A kernel evaluation is one value k(x, x') between two examples. A sum of kernels counts as one evaluation;
// its terms are counted separately. The class that evaluates owns the counter: KernelEngine, RandomFeatures
// (which counts coordinates of a feature map), and the engines of optional components. Learners have read
// access only, except that they report requested values through their engine. Not thread-safe: one counter
// belongs to one engine, hence to one trial.

#include <cstdint>

namespace okbench {

/// Why a kernel value is evaluated: to learn, or only to measure. The two are counted separately.
enum class Purpose { kLearning, kMeasuring };

struct KernelCounts {
  std::uint64_t requested = 0;   ///< values the method needed and did not store: the cost without a cache
  std::uint64_t computed = 0;    ///< values evaluated for learning, look-ahead included
  std::uint64_t evaluation = 0;  ///< values evaluated only to measure (test error, training loss)
  std::uint64_t terms = 0;       ///< kernel terms evaluated for learning; equals `computed` for plain kernels
  std::uint64_t features = 0;    ///< coordinates of explicit feature maps evaluated for learning
  std::uint64_t measured_features = 0;  ///< coordinates evaluated only to measure
};

class EvaluationCounter {
 public:
  const KernelCounts& counts() const { return counts_; }
  /// Mutable access, for serialization only.
  KernelCounts& mutable_counts() { return counts_; }

  /// Counts values that the method needs and does not store. Counted for learning only.
  void Request(Purpose purpose, std::uint64_t values) {
    if (purpose == Purpose::kLearning) counts_.requested += values;
  }
  /// Counts evaluated values of a kernel with this number of terms.
  void Compute(Purpose purpose, std::uint64_t values, std::uint64_t terms) {
    (purpose == Purpose::kLearning ? counts_.computed : counts_.evaluation) += values;
    if (purpose == Purpose::kLearning) counts_.terms += values * terms;
  }
  /// Counts evaluated coordinates of a feature map.
  void Map(Purpose purpose, std::uint64_t coordinates) {
    (purpose == Purpose::kLearning ? counts_.features : counts_.measured_features) += coordinates;
  }

 private:
  KernelCounts counts_;
};

}  // namespace okbench
