// Steps along pairs of rows and the extremes of the gradients, checked against plain loops on every target.

#include "learners/kernels/extremes.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "learners/core/random.h"
#include "learners/kernels/vector_ops.h"
#include "tests/catch.h"
#include "tests/learners/kernels/target_guard.h"

namespace okbench {
namespace {

using testing::TargetGuard;

struct Marked {
  double label;
  bool highest, lowest;
  std::uint32_t rank;
};

// Searches in order of rank, as over a list: the first value that exceeds all before it.
Extremes PlainExtremes(const std::vector<Marked>& slots, const AlignedVector<double>& y) {
  std::vector<std::size_t> order(slots.size());
  for (std::size_t s = 0; s < slots.size(); ++s) order[slots[s].rank] = s;
  Extremes extremes;
  for (const std::size_t s : order) {
    const double g = slots[s].label - y[s];
    if (slots[s].highest && g > extremes.highest) {
      extremes.highest = g;
      extremes.highest_at = s;
    }
    if (slots[s].lowest && g < extremes.lowest) {
      extremes.lowest = g;
      extremes.lowest_at = s;
    }
  }
  return extremes;
}

void RequireEqual(const Extremes& extremes, const Extremes& expected) {
  REQUIRE(extremes.highest_at == expected.highest_at);
  REQUIRE(extremes.lowest_at == expected.lowest_at);
  REQUIRE(extremes.highest == expected.highest);
  REQUIRE(extremes.lowest == expected.lowest);
}

struct Case {
  std::vector<Marked> slots;
  Contenders contenders;
  AlignedVector<double> y;
};

// Scores take one of `values` grid values, so a small number gives many equal gradients. Each slot takes part
// in a search with probability 1/rarity.
Case MakeCase(std::size_t n, std::uint64_t values, std::uint64_t rarity, Random& random) {
  Case result;
  std::vector<std::uint32_t> ranks(n);
  for (std::uint32_t i = 0; i < n; ++i) ranks[i] = i;
  Shuffle(std::span(ranks), random);
  result.contenders.Resize(n);
  for (std::size_t s = 0; s < n; ++s) {
    result.slots.push_back(
        {random.Below(2) == 0 ? 1.0 : -1.0, random.Below(rarity) == 0, random.Below(rarity) == 0, ranks[s]});
    const Marked& slot = result.slots.back();
    result.contenders.Mark(s, static_cast<float>(slot.label), slot.highest, slot.lowest);
    result.contenders.SetRank(s, slot.rank);
    result.y.push_back(4 * static_cast<double>(random.Below(values)) / static_cast<double>(values) - 2);
  }
  return result;
}

TEMPLATE_TEST_CASE("extremes after a step equal those of plain loops on every target", "", float, double) {
  for (const std::string& target : AvailableTargets()) {
    const TargetGuard guard(target);
    const VectorOps<TestType> ops;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      INFO(target << ", seed " << seed);
      Random random(seed);
      const std::size_t n = 16 * (seed % 3 == 0 ? random.Below(4) : random.Below(90));
      const std::uint64_t values = seed % 2 == 0 ? 5 : std::uint64_t{1} << 40;
      Case drawn = MakeCase(n, values, std::uint64_t{1} << seed % 7, random);
      RequireEqual(ops.FindExtremes(drawn.y.data(), drawn.contenders), PlainExtremes(drawn.slots, drawn.y));

      AlignedVector<TestType> row(n), other(n);
      for (std::size_t s = 0; s < n; ++s) {
        row[s] = static_cast<TestType>(random.Below(4)) / 4;
        other[s] = static_cast<TestType>(random.Below(1000)) / 3000;
      }
      const double step = seed % 4 < 2 ? 0.5 : 1 / 3.0;
      auto expected = drawn.y;
      for (std::size_t s = 0; s < n; ++s)
        expected[s] =
            std::fma(step, static_cast<double>(row[s]) - static_cast<double>(other[s]), expected[s]);
      const Extremes extremes =
          ops.StepAndFindExtremes(row.data(), other.data(), step, drawn.y.data(), drawn.contenders);
      REQUIRE(drawn.y == expected);
      RequireEqual(extremes, PlainExtremes(drawn.slots, expected));
    }
  }
}

TEST_CASE("among equal gradients the slot of lowest rank is the extreme") {
  for (const std::string& target : AvailableTargets()) {
    const TargetGuard guard(target);
    const VectorOps<float> ops;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Random random(seed);
      const std::size_t n = 16 * 80;
      Case drawn = MakeCase(n, 2, 1, random);
      drawn.y.assign(n, 0.25);
      RequireEqual(ops.FindExtremes(drawn.y.data(), drawn.contenders), PlainExtremes(drawn.slots, drawn.y));
    }
  }
}

TEST_CASE("inactive slots and NaN gradients are skipped") {
  const double infinity = std::numeric_limits<double>::infinity(), none = std::nan("");
  for (const std::string& target : AvailableTargets()) {
    const TargetGuard guard(target);
    const VectorOps<double> ops;
    Contenders contenders;
    contenders.Resize(32);
    AlignedVector<double> y(32, 0.5);
    for (std::size_t s = 0; s < 8; ++s) y[s] = s % 3 == 0 ? none : s % 3 == 1 ? infinity : -infinity;
    Extremes extremes = ops.FindExtremes(y.data(), contenders);
    CHECK(extremes.highest_at == Extremes::kNone);
    CHECK(extremes.lowest_at == Extremes::kNone);
    contenders.Mark(20, -1, true, true);
    contenders.Mark(21, 1, true, true);
    y[21] = none;
    extremes = ops.FindExtremes(y.data(), contenders);
    CHECK(extremes.highest_at == 20);
    CHECK(extremes.lowest_at == 20);
    CHECK(extremes.highest == -1.5);
    contenders.Copy(20, 3);
    contenders.Unmark(20);
    y[3] = 2;
    CHECK(ops.FindExtremes(y.data(), contenders).highest == -3);
    CHECK(ops.FindExtremes(y.data(), contenders).lowest_at == 3);
  }
}

}  // namespace
}  // namespace okbench
