#pragma once
// Random numbers with the same bits on every machine: generator, bounded integers, shuffle and normal
// variates. The distributions of the standard library differ between vendors.
//
// Seeds are derived from named axes (experiment, data set, repetition, purpose), never from the order of
// runs.

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>

#include "learners/core/archive.h"

namespace okbench {

/// xoshiro256++ 1.0 (Blackman and Vigna 2019); SplitMix64 fills the state. Not thread-safe.
class Random {
 public:
  explicit Random(std::uint64_t seed);
  /// Uniform 64-bit integer.
  std::uint64_t Next();
  /// Uniform integer in [0, bound), without bias (Lemire 2019). REQUIRES: bound >= 1.
  std::uint64_t Below(std::uint64_t bound);
  /// Uniform in [0, 1), a multiple of 2^-53.
  double Uniform();
  /// Standard normal variate: Marsaglia's polar method with Log() of math.h.
  double Normal();
  void Serialize(Archive& archive);

 private:
  std::array<std::uint64_t, 4> state_;
  double spare_ = 0;
  bool has_spare_ = false;
};

/// Derives a seed from named axes, e.g. {{"data","usps"},{"repetition","3"},{"purpose","order"}}. The order
/// of the axes matters.
std::uint64_t DeriveSeed(std::initializer_list<std::pair<std::string_view, std::string_view>> axes);

/// Fisher-Yates shuffle, in place.
template <class T>
void Shuffle(std::span<T> items, Random& random) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.Below(i)]);
}

/// Makes the first `count` items a uniform sample without replacement of all items. REQUIRES: count <=
/// items.size().
template <class T>
void DrawToFront(std::span<T> items, std::size_t count, Random& random) {
  for (std::size_t i = 0; i < count; ++i) std::swap(items[i], items[i + random.Below(items.size() - i)]);
}

}  // namespace okbench
