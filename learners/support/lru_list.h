#pragma once
// LruList: a least-recently-used list of the numbers 0 .. count - 1. Links are indexed by number, so a use
// allocates nothing. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace okbench {

class LruList {
 public:
  /// An empty list for numbers below `count`.
  explicit LruList(std::size_t count)
      : links_(count + 1, {kNone, kNone}), end_(static_cast<std::uint32_t>(count)) {
    links_[end_] = {end_, end_};
  }

  /// Whether i is in the list.
  bool holds(std::uint32_t i) const { return links_[i].newer != kNone; }
  std::size_t size() const { return size_; }
  /// The least recently used number. REQUIRES: size() > 0.
  std::uint32_t oldest() const { return links_[end_].newer; }
  /// Makes i the most recently used number; adds it if needed.
  void Use(std::uint32_t i) {
    if (links_[end_].older == i) return;
    if (holds(i))
      Unlink(i);
    else
      ++size_;
    const std::uint32_t newest = links_[end_].older;
    links_[i] = {.older = newest, .newer = end_};
    links_[newest].newer = i;
    links_[end_].older = i;
  }
  /// Removes i. REQUIRES: holds(i).
  void Drop(std::uint32_t i) {
    Unlink(i);
    links_[i] = {kNone, kNone};
    --size_;
  }

 private:
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);

  // A circular doubly linked list; links_[end_] is the sentinel between newest and oldest.
  struct Link {
    std::uint32_t older, newer;
  };
  void Unlink(std::uint32_t i) {
    links_[links_[i].older].newer = links_[i].newer;
    links_[links_[i].newer].older = links_[i].older;
  }

  std::vector<Link> links_;
  std::uint32_t end_;
  std::size_t size_ = 0;
};

}  // namespace okbench
