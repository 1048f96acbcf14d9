// Inverted index: gives the bits of packed rows after any overwrites, for every kernel and target.

#include <cmath>
#include <cstring>
#include <numeric>

#include "base/error.h"
#include "learners/kernels/engine.h"
#include "learners/kernels/stream_rows.h"
#include "learners/kernels/target.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

// Sparse rows with values of both signs. Some rows are empty.
template <class T>
Examples<T> Signed(std::size_t rows, std::size_t features, double share, bool positive, std::uint64_t seed) {
  Random random(seed);
  std::vector<T> values;
  std::vector<std::uint32_t> indices;
  std::vector<std::size_t> offsets = {0};
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t f = 0; f < features && i % 10 != 7; ++f) {
      if (random.Uniform() >= share) continue;
      const double value = random.Normal();
      values.push_back(static_cast<T>(positive ? std::abs(value) : value));
      indices.push_back(static_cast<std::uint32_t>(f));
    }
    offsets.push_back(values.size());
  }
  return Examples<T>::Sparse(features, offsets, indices, values, std::vector<std::int32_t>(rows, 1),
                             LabelKind::kBinary, 2);
}

TEMPLATE_TEST_CASE("an inverted index gives the bits of packed rows", "", float, double) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const bool positive = seed % 2 == 0;
    const auto data = Signed<TestType>(120, 1 + 97 * seed, 0.1, positive, seed);
    std::vector<Kernel> kernels = {Kernel::Linear(), Kernel::Polynomial(3, 0.5, 1),
                                   Kernel::RbfFromGamma(0.2)};
    if (positive) kernels.push_back(Kernel::HistogramIntersection());
    for (const Kernel& kernel : kernels)
      for (const std::string& target : AvailableTargets()) {
        SelectTarget(target);
        KernelEngine<TestType> engine(kernel);
        const auto inputs = engine.Prepare(data);
        SupportBlocks<TestType> packed(data.features(), Packing::kDense);
        SupportBlocks<TestType> inverted(data.features(), Packing::kInverted);
        Random random(seed);
        for (std::uint32_t i = 0; i < 120; ++i) {
          const std::size_t slot = i < 40 ? i : random.Below(40);  // later rows overwrite earlier ones
          packed.Put(slot, inputs, i);
          inverted.Put(slot, inputs, i);
        }
        std::vector<std::uint32_t> rows(data.size());
        std::iota(rows.begin(), rows.end(), 0U);
        std::vector<TestType> a(rows.size() * packed.slots()), b(a);
        engine.Rows(packed, inputs, rows, Purpose::kLearning, true, a.data(), packed.slots());
        engine.Rows(inverted, inputs, rows, Purpose::kLearning, true, b.data(), packed.slots());
        // 40 slots in three blocks: the last eight lanes are empty.
        for (std::size_t r = 0; r < rows.size(); ++r)
          for (std::size_t s = 0; s < 40; ++s)
            REQUIRE(std::memcmp(&a[r * 48 + s], &b[r * 48 + s], sizeof(TestType)) == 0);
        std::vector<double> coefficients(rows.size(), 0.25), x(48, 0.0), y(48, 0.0);
        engine.Accumulate(packed, inputs, rows, coefficients.data(), 1, Purpose::kLearning, true, x.data(),
                          48);
        engine.Accumulate(inverted, inputs, rows, coefficients.data(), 1, Purpose::kLearning, true, y.data(),
                          48);
        REQUIRE(std::equal(x.begin(), x.begin() + 40, y.begin()));
        const std::uint32_t row = 3;
        TestType* const to = b.data();
        engine.Blocks(inverted, 1, 1, inputs, std::span(&row, 1), Purpose::kLearning, std::span(&to, 1));
        REQUIRE(std::equal(a.begin() + 3 * 48 + 16, a.begin() + 3 * 48 + 32, b.begin() + 16));
        REQUIRE(engine.counts().requested == 4 * rows.size() * 40);
        SelectTarget("best");
      }
  }
}

TEST_CASE("wide sparse rows are inverted, other rows are packed, dense queries are rejected") {
  KernelEngine<float> engine(Kernel::Linear());
  const auto wide = Signed<float>(50, 5000, 0.001, true, 1), full = Signed<float>(50, 5000, 0.1, true, 2),
             narrow = Signed<float>(50, 100, 0.01, true, 3);
  CHECK(engine.MakeBlocks(wide).packing() == Packing::kInverted);
  CHECK(engine.MakeBlocks(full).packing() == Packing::kDense);
  CHECK(engine.MakeBlocks(narrow).packing() == Packing::kDense);
  const auto dense = Examples<float>::Dense(5000, std::vector<float>(5000, 1.5F), {1}, LabelKind::kBinary, 2);
  CHECK(engine.MakeBlocks(wide, &dense).packing() == Packing::kDense);
  const auto inputs = engine.Prepare(wide), queries = engine.Prepare(dense);
  auto set = engine.MakeBlocks(wide);
  set.Put(0, inputs, 0);
  std::vector<float> row(set.slots());
  CHECK_THROWS_WITH(engine.Row(set, queries, 0, Purpose::kLearning, row.data()),
                    Catch::Contains("sparse queries only"));
  CHECK_THROWS_WITH(set.Put(1, queries, 0), Catch::Contains("sparse rows only"));
}

TEST_CASE("a stream over an inverted index evaluates each row once, with the bits of packed rows") {
  const auto data = Signed<float>(300, 6000, 0.002, true, 5);
  KernelEngine<float> ahead(Kernel::Linear()), alone(Kernel::Linear());
  const auto inputs = ahead.Prepare(data);
  auto inverted = ahead.MakeBlocks(data);
  REQUIRE(inverted.packing() == Packing::kInverted);
  SupportBlocks<float> packed(data.features(), Packing::kDense);
  StreamRows<float> rows(ahead, inputs, 48);
  std::vector<std::uint32_t> order(300);
  std::iota(order.begin(), order.end(), 0U);
  rows.Announce(order);
  std::vector<float> expected;
  for (const std::uint32_t i : order) {
    const float* row = rows.Row(inverted, i);
    expected.resize(packed.slots());
    alone.Row(packed, inputs, i, Purpose::kLearning, expected.data());
    for (std::size_t s = 0; s < packed.size(); ++s) REQUIRE(row[s] == expected[s]);
    inverted.Put(i % 70, inputs, i);
    packed.Put(i % 70, inputs, i);
  }
  CHECK(ahead.counts().computed == ahead.counts().requested);
  CHECK(ahead.counts().requested == alone.counts().requested);
}

}  // namespace
}  // namespace okbench
