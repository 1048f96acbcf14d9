// Rows in bounded memory: LRU list, arena, and the row cache made of both.

#include "learners/support/row_cache.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <set>

#include "learners/core/random.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

TEST_CASE("LRU list: the oldest entry is the least recently used") {
  LruList recency(20);
  std::vector<std::uint32_t> expected;  // oldest first
  Random random(3);
  for (int step = 0; step < 3000; ++step) {
    const auto i = static_cast<std::uint32_t>(random.Below(20));
    const auto position = std::find(expected.begin(), expected.end(), i);
    REQUIRE(recency.holds(i) == (position != expected.end()));
    if (position != expected.end()) expected.erase(position);
    if (step % 3 == 2) {
      if (recency.holds(i)) recency.Drop(i);
    } else {
      recency.Use(i);
      expected.push_back(i);
    }
    REQUIRE(recency.size() == expected.size());
    if (!expected.empty()) REQUIRE(recency.oldest() == expected.front());
  }
}

TEMPLATE_TEST_CASE("row arena: respects its bound and reuses returned rows", "", float, double) {
  for (const std::size_t length : {16, 48, 4096, 1 << 21}) {
    const std::size_t most = length > 4096 ? 3 : 50;
    RowArena<TestType> arena(length, most);
    CHECK(arena.rows() == 0);
    std::set<TestType*> taken;
    for (std::size_t r = 0; r < most; ++r) {
      TestType* const row = arena.Take();
      CHECK(reinterpret_cast<std::uintptr_t>(row) % kCacheLine == 0);
      row[0] = row[length - 1] = static_cast<TestType>(r);
      // No two rows overlap.
      for (TestType* const other : taken) CHECK((other + length <= row || row + length <= other));
      CHECK(taken.insert(row).second);
      CHECK(arena.rows() <= most);
      CHECK(arena.rows() <= 4 + 2 * taken.size());
    }
    CHECK(arena.rows() == most);
    CHECK_THROWS_AS(arena.Take(), std::bad_alloc);
    TestType* const again = *taken.begin();
    arena.GiveBack(again);
    CHECK(arena.Take() == again);
    CHECK(arena.rows() == most);
  }
}

TEST_CASE("row cache: evicts the least recently used row and reuses its memory") {
  const Kernel kernel = Kernel::RbfFromGamma(0.2);
  const auto data = testing::RandomDense<double>(40, 3, LabelKind::kBinary, 2, 1);
  KernelEngine<double> engine(kernel);
  const auto inputs = engine.Prepare(data);
  SupportBlocks<double> set = engine.MakeBlocks(data);
  for (std::uint32_t i = 0; i < 40; ++i) set.Put(i, inputs, i);
  RowCache<double> cache(engine, set, inputs, 3 * set.slots() * sizeof(double));
  std::set<const double*> memory;
  std::vector<std::uint32_t> cached_rows;  // oldest first
  Random random(1);
  std::uint64_t computed = 0;
  for (int step = 0; step < 500; ++step) {
    const auto i = static_cast<std::uint32_t>(random.Below(6));
    const auto position = std::find(cached_rows.begin(), cached_rows.end(), i);
    if (position == cached_rows.end()) {
      computed += 40;
      if (cached_rows.size() == 3) cached_rows.erase(cached_rows.begin());
    } else {
      cached_rows.erase(position);
    }
    cached_rows.push_back(i);
    const double* const row = cache.Row(i);
    memory.insert(row);
    for (std::size_t s = 0; s < 40; ++s)
      REQUIRE(row[s] == Approx(testing::PlainKernel(kernel, data, i, data, s)).epsilon(1e-12));
    REQUIRE(engine.counts().computed == computed);
  }
  CHECK(memory.size() == 3);
  CHECK(engine.counts().requested == 0);
}

}  // namespace
}  // namespace okbench
