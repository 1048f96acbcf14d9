// Rows over a changing support set: values against the plain formula, counts against a plain recount.

#include "learners/methods/lasvm/support_rows.h"

#include <array>

#include "learners/core/random.h"
#include "tests/catch.h"
#include "tests/helpers.h"
#include "tests/learners/counts/counting_kernel.h"
#include "tests/learners/counts/member_rows.h"

namespace okbench::lasvm {
namespace {

const Kernel kKernel = Kernel::RbfFromGamma(0.2);
constexpr auto kNone = SupportRows<double>::kNoSlot;

TEST_CASE("rows over a support set: values and counts by hand") {
  const auto data = testing::RandomDense<double>(40, 3, LabelKind::kBinary, 2, 1);
  KernelEngine<double> engine(kKernel);
  const auto inputs = engine.Prepare(data);
  SupportRows<double> rows(engine, inputs, 1 << 20);
  for (std::uint32_t i = 0; i < 18; ++i) CHECK(rows.Add(i) == i);
  CHECK(rows.slots() == 32);
  rows.Row(30, kNone);
  CHECK(engine.counts().computed == 18);
  rows.Row(30, kNone);
  CHECK(engine.counts().computed == 18);  // cached
  // The new slot is in the second block, so slots 16 and 17 are computed again with it.
  rows.Add(18);
  rows.Row(30, kNone);
  CHECK(engine.counts().computed == 18 + 3);
  // Removed slots cost nothing. 7 gaps of 19 slots are more than half of the other 12.
  for (std::uint32_t slot = 0; slot < 7; ++slot) {
    CHECK(!rows.HasGaps());
    rows.Remove(slot);
  }
  CHECK(rows.HasGaps());
  CHECK(rows.Pack() == std::vector<std::uint32_t>{7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18});
  CHECK(rows.example(0) == 7);
  CHECK(rows.slots() == 16);
  const double* row = rows.Row(30, kNone);
  for (std::uint32_t s = 0; s < 12; ++s)
    CHECK(row[s] == Approx(testing::PlainKernel(kKernel, data, 30, data, s + 7)).epsilon(1e-12));
  CHECK(engine.counts().computed == 21);
  rows.Row(31, kNone);
  CHECK(engine.counts().computed == 21 + 12);
  rows.Drop(31);
  rows.Drop(32);  // not cached
  rows.Row(31, kNone);
  CHECK(engine.counts().computed == 21 + 12 + 12);
  // Rows 30 and 31 are cached.
  rows.Prefetch(std::array<std::uint32_t, 4>{30, 31, 33, 34});
  CHECK(engine.counts().computed == 45 + 2 * 12);
  rows.Row(33, kNone);
  rows.Row(34, kNone);
  CHECK(engine.counts().computed == 45 + 2 * 12);
  CHECK(engine.counts().requested == 0);
}

TEST_CASE("rows of many features copy the values that newer members have") {
  const auto data = testing::RandomDense<float>(40, 64, LabelKind::kBinary, 2, 1);
  KernelEngine<float> engine(kKernel);
  const auto inputs = engine.Prepare(data);
  SupportRows<float> rows(engine, inputs, 1 << 20), plain(engine, inputs, 1 << 20);
  for (std::uint32_t i = 0; i < 20; ++i) rows.Add(i), plain.Add(i);
  rows.Row(3, 3);
  for (const std::uint32_t i : {20, 21, 22}) {
    CHECK(rows.Add(i) == i);
    plain.Add(i);
    rows.Row(i, i);
  }
  rows.Remove(21);
  const std::uint64_t before = engine.counts().computed;
  const float* row = rows.Row(3, 3);
  CHECK(engine.counts().computed == before);
  const float* expected = plain.Row(3, kNone);
  for (std::uint32_t slot = 0; slot < 23; ++slot)
    if (slot != 21) CHECK(row[slot] == expected[slot]);
  // Without the row of the newest member, the block is evaluated.
  rows.Add(23);
  const std::uint64_t later = engine.counts().computed;
  rows.Row(3, 3);
  CHECK(engine.counts().computed == later + 7);  // slots 16 to 23 without slot 21
}

TEST_CASE("rows over a support set stay correct and counted under random additions and removals") {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const std::uint32_t n = 90;
    const auto data = testing::RandomDense<double>(n, 3, LabelKind::kBinary, 2, seed);
    KernelEngine<double> engine(kKernel);
    const auto inputs = engine.Prepare(data);
    const std::size_t bound = seed % 2 == 0 ? 2 : n;  // maximum cached rows
    SupportRows<double> rows(engine, inputs, seed % 2 == 0 ? 0 : 1 << 20);
    testing::MemberRows expected;
    testing::PlainLru lru;
    std::vector<std::uint32_t> members;  // by slot; n: empty
    const auto slot_of = [&](std::uint32_t i) {
      const auto position = std::find(members.begin(), members.end(), i);
      return position == members.end() ? kNone : static_cast<std::uint32_t>(position - members.begin());
    };
    Random random(seed);
    std::uint64_t computed = 0;
    std::size_t packed = 0, dropped = 0;
    const auto add = [&](std::uint32_t i) {
      if (rows.HasGaps()) {
        std::vector<std::uint32_t> moved;
        for (const std::uint32_t slot : rows.Pack()) moved.push_back(members[slot]);
        members = moved;
        ++packed;
      }
      CHECK(rows.Add(i) == members.size());
      members.push_back(i);
      expected.Enter(i);
    };
    add(0);
    for (int step = 0; step < 2000; ++step) {
      const auto i = static_cast<std::uint32_t>(random.Below(n));
      const auto position = std::find(members.begin(), members.end(), i);
      if (step % 7 == 0) {
        dropped += lru.Touch(i) ? 1 : 0;
        lru.Forget([&](std::uint32_t row) { return row == i; });
        rows.Drop(i);
      } else if (step % 11 == 0) {
        // No row fits into a quarter of the smaller cache.
        const auto j = static_cast<std::uint32_t>((i + 1) % n);
        rows.Prefetch(std::array{i, j});
        if (bound == n)
          for (const std::uint32_t row : {i, j})
            if (!lru.Touch(row)) {
              lru.Add(row);
              computed += expected.Row(row, false);
            }
        REQUIRE(engine.counts().computed == computed);
      } else if (step % 3 == 0 && position == members.end()) {
        add(i);
      } else if (step % 3 == 1 && position != members.end() && i != 0) {
        rows.Remove(static_cast<std::uint32_t>(position - members.begin()));
        *position = n;
        expected.Leave(i);
      } else {
        const bool is_cached = lru.Touch(i);
        if (!is_cached) {
          lru.MakeRoom(1, bound);
          lru.Add(i);
        }
        computed += expected.Row(i, is_cached);
        const double* row = rows.Row(i, slot_of(i));
        for (std::size_t slot = 0; slot < members.size(); ++slot)
          if (members[slot] != n)
            REQUIRE(row[slot] ==
                    Approx(testing::PlainKernel(kKernel, data, i, data, members[slot])).epsilon(1e-12));
        REQUIRE(engine.counts().computed == computed);
      }
    }
    CHECK(packed > 0);
    CHECK(dropped > 0);
  }
}

}  // namespace
}  // namespace okbench::lasvm
