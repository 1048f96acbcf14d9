#pragma once
// Cache policies of budget-2003: what happens to cached examples when a new one comes in. Policy types,
// shared by the perceptron and MIRA:
//   static constexpr bool kRemoves: whether members are ever removed (only then are their scores kept);
//   BeforeInsert(cache, f), f being the scores of the new example, and AfterInsert(cache): how many members
//   they removed.

#include <cstddef>
#include <span>

#include "learners/support/scored_cache.h"

namespace okbench {

/// No budget: the cache grows with every update.
struct UnboundedCache {
  static constexpr bool kRemoves = false;
  template <class T>
  std::size_t BeforeInsert(ScoredCache<T>&, std::span<double>) const {
    return 0;
  }
  template <class T>
  std::size_t AfterInsert(ScoredCache<T>&) const {
    return 0;
  }
};

/// At most `limit` members (figure 3 of budget-2003): when full, the member with the largest margin without
/// its own contribution goes before the new example comes in.
struct FixedCache {
  static constexpr bool kRemoves = true;
  std::size_t limit;
  template <class T>
  std::size_t BeforeInsert(ScoredCache<T>& cache, std::span<double> f) const {
    if (cache.size() < limit) return 0;
    cache.Remove(cache.LargestMargin().slot, f);
    return 1;
  }
  template <class T>
  std::size_t AfterInsert(ScoredCache<T>&) const {
    return 0;
  }
};

/// DistillCache (figures 1 and 2 of budget-2003): after each insertion members leave, the largest first,
/// while their margin without their own contribution is at least beta.
struct DistilledCache {
  static constexpr bool kRemoves = true;
  double beta;
  template <class T>
  std::size_t BeforeInsert(ScoredCache<T>&, std::span<double>) const {
    return 0;
  }
  template <class T>
  std::size_t AfterInsert(ScoredCache<T>& cache) const {
    std::size_t removed = 0;
    while (cache.size() > 0) {
      const auto candidate = cache.LargestMargin();
      if (candidate.margin < beta) break;
      cache.Remove(candidate.slot, {});
      ++removed;
    }
    return removed;
  }
};

}  // namespace okbench
