#include "learners/core/random.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "tests/catch.h"

namespace okbench {
namespace {

TEST_CASE("SplitMix64 and xoshiro256++ reproduce the published numbers") {
  // SplitMix64 from state 0 fills the generator with e220a8397b1dcdaf 6e789e6aa1b965f4 06c45d188009454f
  // f88bb8a8724c81ec; the first output is rotl(s0 + s3, 23) + s0.
  const std::uint64_t s0 = 0xe220a8397b1dcdafULL, s3 = 0xf88bb8a8724c81ecULL;
  const std::uint64_t sum = s0 + s3;
  CHECK(Random(0).Next() == ((sum << 23 | sum >> 41) + s0));
}

TEST_CASE("bounded integers are uniform over their range") {
  Random random(7);
  for (const std::uint64_t bound : {1ULL, 2ULL, 3ULL, 10ULL, 1000ULL}) {
    std::vector<int> counts(bound, 0);
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t value = random.Below(bound);
      REQUIRE(value < bound);
      ++counts[value];
    }
    const double expected = 20000.0 / static_cast<double>(bound);
    double chi2 = 0;
    for (const int count : counts) chi2 += (count - expected) * (count - expected) / expected;
    CHECK(chi2 < static_cast<double>(bound) + 6 * std::sqrt(2.0 * static_cast<double>(bound)) + 6);
  }
}

TEST_CASE("a shuffle is a permutation that depends on the seed") {
  std::set<std::vector<int>> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<int> items(50);
    std::iota(items.begin(), items.end(), 0);
    Random random(seed);
    Shuffle(std::span(items), random);
    seen.insert(items);
    std::sort(items.begin(), items.end());
    for (int i = 0; i < 50; ++i) REQUIRE(items[static_cast<std::size_t>(i)] == i);
  }
  CHECK(seen.size() == 20);
}

TEST_CASE("normal variates have mean 0 and variance 1") {
  Random random(3);
  double sum = 0, squares = 0;
  constexpr int kCount = 100000;
  for (int i = 0; i < kCount; ++i) {
    const double z = random.Normal();
    sum += z;
    squares += z * z;
  }
  CHECK(std::fabs(sum / kCount) < 0.02);
  CHECK(std::fabs(squares / kCount - 1) < 0.03);
}

TEST_CASE("a derived seed depends on every axis and on nothing else") {
  const std::uint64_t seed = DeriveSeed({{"data", "usps"}, {"repetition", "0"}});
  CHECK(seed == DeriveSeed({{"data", "usps"}, {"repetition", "0"}}));
  CHECK(seed != DeriveSeed({{"data", "usps"}, {"repetition", "1"}}));
  CHECK(seed != DeriveSeed({{"data", "uspsr"}, {"epetition", "0"}}));
  CHECK(seed != DeriveSeed({{"repetition", "0"}, {"data", "usps"}}));
}

}  // namespace
}  // namespace okbench
