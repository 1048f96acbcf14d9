#pragma once
// The ledger counts kernel evaluations, the primary cost axis of okbench.
//
// A kernel evaluation is one value k(x, x') between two real examples, of a sum of kernels, too, whose terms
// are counted beside it. Only the kernel engine evaluates
// kernels, and only it can write here: no method can forget to count, or count for itself. Explicit feature
// maps are counted beside kernels, by the coordinate, and likewise by what evaluates them.
// Not thread-safe: one ledger belongs to one engine, and so to one trial.

#include <cstdint>

namespace okbench {

/// Why a kernel value is wanted. Measuring is not learning: the two are never added up.
enum class Purpose { kLearning, kEvaluation };

struct KernelCounts {
  std::uint64_t requested = 0;   ///< values the method asked for and did not hold: the cost without a cache
  std::uint64_t computed = 0;    ///< values really evaluated for learning, look-ahead included
  std::uint64_t evaluation = 0;  ///< values evaluated only to measure (test error, training loss)
  std::uint64_t terms = 0;  ///< values of single terms evaluated for learning: `computed` for plain kernels
  std::uint64_t features = 0;           ///< coordinates of explicit feature maps, for learning
  std::uint64_t measured_features = 0;  ///< the same, evaluated only to measure
};

template <class T>
class KernelEngine;
class BoxEngine;
template <class T>
class RandomFeatures;

class Ledger {
 public:
  const KernelCounts& counts() const { return counts_; }

 private:
  template <class T>
  friend class KernelEngine;
  friend class BoxEngine;
  template <class T>
  friend class RandomFeatures;

  void Request(Purpose purpose, std::uint64_t values) {
    if (purpose == Purpose::kLearning) counts_.requested += values;
  }
  void Compute(Purpose purpose, std::uint64_t values, std::uint64_t terms) {
    (purpose == Purpose::kLearning ? counts_.computed : counts_.evaluation) += values;
    if (purpose == Purpose::kLearning) counts_.terms += values * terms;
  }
  void Map(Purpose purpose, std::uint64_t coordinates) {
    (purpose == Purpose::kLearning ? counts_.features : counts_.measured_features) += coordinates;
  }

  KernelCounts counts_;
};

}  // namespace okbench
