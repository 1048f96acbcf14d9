#pragma once
// Extremes: where among slots with labels and scores the gradients g_s = y_s - f_s, y_s = 1 or -1, are
// highest and lowest, of those slots that take part. VectorOps::FindExtremes finds them.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "learners/core/aligned.h"

namespace okbench {

/// The highest gradient of the slots that may be it, and the lowest likewise; of equal ones that of the
/// lowest rank. Where none takes part, or all are infinite on the wrong side or not numbers: kNone.
struct Extremes {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t highest_at = kNone, lowest_at = kNone;  ///< slots
  double highest = -std::numeric_limits<double>::infinity();
  double lowest = std::numeric_limits<double>::infinity();
};

/// Which slots take part in what search, with their labels and ranks.
class Contenders {
 public:
  /// So many slots, in whole blocks; new ones take no part.
  void Resize(std::size_t slots) {
    highest_.resize(slots, -kInfinity);
    lowest_.resize(slots, kInfinity);
    ranks_.resize(slots);
  }
  /// The slot's label, 1 or -1; it takes part in the search for the highest gradient, for the lowest.
  void Mark(std::size_t slot, float label, bool highest, bool lowest) {
    highest_[slot] = highest ? label : -kInfinity;
    lowest_[slot] = lowest ? label : kInfinity;
  }
  /// It takes part in none.
  void Unmark(std::size_t slot) { Mark(slot, 0, false, false); }
  void SetRank(std::size_t slot, std::uint32_t rank) { ranks_[slot] = rank; }
  std::uint32_t rank(std::size_t slot) const { return ranks_[slot]; }
  /// The slot becomes what another is.
  void Copy(std::size_t from, std::size_t to) {
    highest_[to] = highest_[from];
    lowest_[to] = lowest_[from];
    ranks_[to] = ranks_[from];
  }

  std::size_t slots() const { return ranks_.size(); }
  /// By slot the label, or the infinity that no gradient is beyond: then the difference to a finite score is
  /// no extreme.
  const float* highest() const { return highest_.data(); }
  const float* lowest() const { return lowest_.data(); }

 private:
  static constexpr float kInfinity = std::numeric_limits<float>::infinity();
  AlignedVector<float> highest_, lowest_;
  std::vector<std::uint32_t> ranks_;
};

}  // namespace okbench
