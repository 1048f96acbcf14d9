#pragma once
// Extremes: where among slots with labels and scores the gradients g_s = y_s - f_s, y_s = 1 or -1, are highest
// and lowest, of those slots that take part. VectorOps::FindExtremes finds them.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace okbench {

/// The highest gradient of the slots that may be it, and the lowest likewise; of equal ones that of the lowest
/// rank. Where none takes part, or all are infinite on the wrong side or not numbers: kNone.
struct Extremes {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t highest_at = kNone, lowest_at = kNone;  ///< slots
  double highest = -std::numeric_limits<double>::infinity();
  double lowest = std::numeric_limits<double>::infinity();
};

/// The slots' labels and ranks, and which of them take part in what search.
class Contenders {
 public:
  /// Of a block of 16 slots, in bits from these on.
  static constexpr int kHighest = 0, kLowest = 16, kPositive = 32;

  /// So many slots, in whole blocks; new ones take no part.
  void Resize(std::size_t slots) {
    marks_.resize(slots / 16);
    ranks_.resize(slots);
  }
  /// The slot's label is 1 or else -1; it takes part in the search for the highest gradient, for the lowest.
  void Mark(std::size_t slot, bool positive, bool highest, bool lowest) {
    const std::uint64_t marks = std::uint64_t{highest} << kHighest | std::uint64_t{lowest} << kLowest |
                                std::uint64_t{positive} << kPositive;
    std::uint64_t& block = marks_[slot / 16];
    block = (block & ~(kSlot << slot % 16)) | marks << slot % 16;
  }
  void SetRank(std::size_t slot, std::uint32_t rank) { ranks_[slot] = rank; }
  std::uint32_t rank(std::size_t slot) const { return ranks_[slot]; }
  /// The slot becomes what another was.
  void Copy(std::size_t from, std::size_t to) {
    const std::uint64_t marks = marks_[from / 16] >> from % 16;
    Mark(to, (marks >> kPositive & 1U) != 0, (marks >> kHighest & 1U) != 0, (marks >> kLowest & 1U) != 0);
    ranks_[to] = ranks_[from];
  }

  std::size_t slots() const { return ranks_.size(); }
  const std::uint64_t* marks() const { return marks_.data(); }
  const std::uint32_t* ranks() const { return ranks_.data(); }

 private:
  static constexpr std::uint64_t kSlot =
      std::uint64_t{1} << kHighest | std::uint64_t{1} << kLowest | std::uint64_t{1} << kPositive;
  std::vector<std::uint64_t> marks_;  // by block
  std::vector<std::uint32_t> ranks_;  // by slot
};

}  // namespace okbench
