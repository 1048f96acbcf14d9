#pragma once
// Cache policies of budget-2003: they select the members that leave when a new example is inserted. Shared by
// the perceptron and MIRA. A policy has
//   static constexpr bool kRemoves      whether members are ever removed; if not, no scores are kept
//   BeforeInsert(cache, f)              returns the number of members removed; f: scores of the new example
//   AfterInsert(cache)                  returns the number of members removed

#include <cstddef>
#include <span>

#include "learners/bases/scored_cache.h"

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

/// At most `limit` members (figure 3 of budget-2003). A full cache removes the member with the largest margin
/// without its own contribution, before the new example is inserted.
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

/// DistillCache (figures 1 and 2 of budget-2003): after each insertion, removes members whose margin without
/// their own contribution is at least beta, the largest margin first.
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
