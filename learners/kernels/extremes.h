#pragma once
// Extremes: the slots with the highest and lowest gradients g_s = y_s - f_s, for labels y_s = 1 or -1 and
// scores f_s. Each search is restricted to selected slots. Computed by VectorOps::FindExtremes.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "learners/core/aligned.h"

namespace okbench {

/// The result of the two searches: the highest gradient and the lowest gradient. Ties go to the lowest rank.
/// A slot is kNone if no slot takes part in its search, or if no gradient is above -infinity (for the lowest:
/// below infinity). NaN is ignored.
struct Extremes {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t highest_at = kNone, lowest_at = kNone;  ///< slots, or kNone
  double highest = -std::numeric_limits<double>::infinity();
  double lowest = std::numeric_limits<double>::infinity();
};

/// The slots that take part in the searches for the highest and the lowest gradient, with labels and ranks.
class Contenders {
 public:
  /// Sets the number of slots, a multiple of 16. New slots take part in no search.
  void Resize(std::size_t slots) {
    highest_.resize(slots, -kInfinity);
    lowest_.resize(slots, kInfinity);
    ranks_.resize(slots);
  }
  /// Sets the label of a slot, 1 or -1, and whether it takes part in the search for the highest gradient and
  /// for the lowest.
  void Mark(std::size_t slot, float label, bool highest, bool lowest) {
    highest_[slot] = highest ? label : -kInfinity;
    lowest_[slot] = lowest ? label : kInfinity;
  }
  /// Excludes a slot from both searches.
  void Unmark(std::size_t slot) { Mark(slot, 0, false, false); }
  void SetRank(std::size_t slot, std::uint32_t rank) { ranks_[slot] = rank; }
  std::uint32_t rank(std::size_t slot) const { return ranks_[slot]; }
  /// Copies label, searches and rank of slot `from` to slot `to`.
  void Copy(std::size_t from, std::size_t to) {
    highest_[to] = highest_[from];
    lowest_[to] = lowest_[from];
    ranks_[to] = ranks_[from];
  }

  std::size_t slots() const { return ranks_.size(); }
  /// The label by slot. A slot that does not take part has -infinity in highest() and infinity in lowest(),
  /// so that its difference to a finite score is never an extreme.
  const float* highest() const { return highest_.data(); }
  const float* lowest() const { return lowest_.data(); }

 private:
  static constexpr float kInfinity = std::numeric_limits<float>::infinity();
  AlignedVector<float> highest_, lowest_;
  std::vector<std::uint32_t> ranks_;
};

}  // namespace okbench
