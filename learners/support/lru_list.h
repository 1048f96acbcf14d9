#pragma once
// LruList: which of some numbered things are held, and which of these was not used for longest. Links by
// number, so that a use allocates nothing.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace okbench {

class LruList {
 public:
  /// None of `count` things is held.
  explicit LruList(std::size_t count)
      : links_(count + 1, {kNone, kNone}), end_(static_cast<std::uint32_t>(count)) {
    links_[end_] = {end_, end_};
  }

  bool holds(std::uint32_t i) const { return links_[i].newer != kNone; }
  std::size_t size() const { return size_; }
  /// The one that was not used for longest; one must be held.
  std::uint32_t oldest() const { return links_[end_].newer; }
  /// Makes it the one that was used last; it is held from now on.
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
  /// It is held no more.
  void Drop(std::uint32_t i) {
    Unlink(i);
    links_[i] = {kNone, kNone};
    --size_;
  }

 private:
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);

  // A ring through its end, which is older than the oldest and newer than the newest.
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
