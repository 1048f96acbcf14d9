#pragma once
// Rows over a changing support set, with the counts of LaSVM's cache of such rows.

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace okbench::testing {

/// Number of values computed for rows over the members: those added since the row was last requested, and the
/// other members of the block of 16 that contains the first of these. Members are stored in order of arrival.
class MemberRows {
 public:
  /// Returns the number of values computed for a row. `is_cached`: the row was in the cache.
  std::uint64_t Row(std::uint32_t i, bool is_cached) {
    std::size_t& filled = filled_[i];
    if (!is_cached) filled = 0;
    const std::size_t first = filled == slots_.size() ? filled : filled / 16 * 16;
    filled = slots_.size();
    return static_cast<std::uint64_t>(Members(first, slots_.size()));
  }
  void Enter(std::uint32_t i) {
    const std::size_t members = Members(0, slots_.size());
    if (2 * (slots_.size() - members) > members) {
      for (auto& [row, filled] : filled_) filled = Members(0, filled);
      std::erase(slots_, kFree);
    }
    slots_.push_back(i);
  }
  void Leave(std::uint32_t i) { std::replace(slots_.begin(), slots_.end(), i, kFree); }

 private:
  static constexpr std::uint32_t kFree = static_cast<std::uint32_t>(-1);

  std::size_t Members(std::size_t first, std::size_t end) const {
    return static_cast<std::size_t>(std::count_if(slots_.begin() + static_cast<std::ptrdiff_t>(first),
                                                  slots_.begin() + static_cast<std::ptrdiff_t>(end),
                                                  [](auto i) { return i != kFree; }));
  }

  std::vector<std::uint32_t> slots_;
  std::map<std::uint32_t, std::size_t> filled_;  // filled slots of each row
};

}  // namespace okbench::testing
