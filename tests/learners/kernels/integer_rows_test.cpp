// Integer rows: exact kernel values, and the same bits for every packing, copy and join.

#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "learners/core/examples_archive.h"
#include "learners/kernels/engine.h"
#include "tests/catch.h"
#include "tests/helpers.h"
#include "tests/learners/kernels/target_guard.h"

namespace okbench {
namespace {

using testing::TargetGuard;

// Integer rows within the range of the scale, and the values they represent.
template <class T>
Examples<T> IntegerExamples(std::size_t rows, std::size_t features, const IntegerScale& scale,
                            std::uint64_t seed) {
  Random random(seed);
  auto whole = std::make_shared<IntegerRows>(scale, features);
  std::vector<T> values;
  std::vector<std::int32_t> numbers(features);
  for (std::size_t i = 0; i < rows; ++i) {
    // Some rows are all zero, if the range allows it, and some have only extreme values.
    const bool extreme = i % 7 == 3, zero = i % 7 == 5 && scale.low <= 0 && scale.high >= 0;
    for (std::int32_t& n : numbers) {
      const auto width = static_cast<std::uint64_t>(scale.high - scale.low) + 1;
      n = scale.low + static_cast<std::int32_t>(random.Below(width));
      if (extreme) n = random.Below(2) == 0 ? scale.low : scale.high;
      if (zero) n = 0;
    }
    whole->Add(numbers);
    const double norm = std::sqrt(static_cast<double>(whole->squared_norm(i)));
    for (const std::int32_t n : numbers)
      values.push_back(static_cast<T>(scale.unit_norm ? (norm > 0 ? n / norm : 0) : n * scale.scale));
  }
  return Examples<T>::Unlabelled(rows, features, std::move(values)).WithIntegers(std::move(whole));
}

std::vector<IntegerScale> Scales() {
  return {{.scale = 1.0 / 255},
          {.scale = 1.0 / 15, .high = 15},
          {.unit_norm = true},
          {.scale = 0.001, .low = -1000, .high = 1000},
          {.unit_norm = true, .low = -255, .high = 255},
          {.scale = 1, .low = 3, .high = 300}};
}

std::vector<Kernel> IntegerKernels() {
  return {Kernel::Linear(), Kernel::Polynomial(3, 0.5, 1), Kernel::RbfFromGamma(0.02),
          Kernel::HistogramIntersection()};
}

bool TakesScale(const Kernel& kernel, const IntegerScale& scale) {
  return !kernel.is_intersection() || scale.low >= 0;
}

// Kernel value by 64-bit integer arithmetic, rounded as docs/explanation/bit-identical.md specifies.
template <class T>
T ByHand(const Kernel& kernel, const IntegerRows& rows, std::size_t i, std::size_t k) {
  const IntegerScale& scale = rows.scale();
  std::int64_t dot = 0, least = 0, distance = 0;
  for (std::size_t j = 0; j < rows.features(); ++j) {
    const std::int64_t a = rows.number(i, j), b = rows.number(k, j);
    dot += a * b;
    least += std::min(a, b);
    distance += (a - b) * (a - b);
  }
  const auto unit = [&](std::size_t row) { return UnitFactor<T>(rows.squared_norm(row)); };
  const T square = static_cast<T>(scale.scale * scale.scale);
  const T product = scale.unit_norm ? static_cast<T>(dot) * unit(i) * unit(k) : static_cast<T>(dot) * square;
  switch (kernel.kind) {
    case KernelKind::kLinear:
      return product;
    case KernelKind::kHistogramIntersection:
      return static_cast<T>(least) * static_cast<T>(scale.scale);
    case KernelKind::kPolynomial: {
      const T base = std::fma(static_cast<T>(kernel.scale), product, static_cast<T>(kernel.offset));
      return base * (base * base);
    }
    default:
      return static_cast<T>(-kernel.gamma * (scale.scale * scale.scale)) * static_cast<T>(distance);
  }
}

// Values of all rows against the first `count`, in batches of queries.
template <class T>
std::vector<T> IntegerValues(const Kernel& kernel, const Examples<T>& rows, std::size_t count,
                             std::size_t batch) {
  KernelEngine<T> engine(kernel);
  const auto inputs = engine.Prepare(rows);
  SupportBlocks<T> set = engine.MakeBlocks(rows);
  for (std::size_t s = 0; s < count; ++s) set.Put(s, inputs, s);
  std::vector<std::uint32_t> all = AllRows(rows);
  std::vector<T> out(rows.size() * set.slots()), used;
  for (std::size_t r = 0; r < all.size(); r += batch)
    engine.Rows(set, inputs, std::span(all).subspan(r, std::min(batch, all.size() - r)), Purpose::kLearning,
                true, out.data() + r * set.slots(), set.slots());
  // In empty lanes the value has no meaning, but must be finite.
  for (const T value : out) REQUIRE(std::isfinite(value));
  for (std::size_t r = 0; r < all.size(); ++r)
    for (std::size_t s = 0; s < count; ++s) used.push_back(out[r * set.slots() + s]);
  return used;
}

TEST_CASE("kernel values of two integer rows by hand") {
  auto whole = std::make_shared<IntegerRows>(IntegerScale{.scale = 0.5}, 3);
  whole->Add(std::vector<std::int32_t>{1, 2, 255});
  whole->Add(std::vector<std::int32_t>{4, 0, 200});
  CHECK(whole->squared_norm(0) == 65030);
  CHECK(whole->sum(1) == 204);
  CHECK(whole->stride() == 4);
  const auto rows = Examples<float>::Unlabelled(2, 3, {0.5F, 1, 127.5F, 2, 0, 100}).WithIntegers(whole);
  // <(1, 2, 255), (4, 0, 200)> = 51004, times 1/4 (two factors of the scale). Minima: 1 + 0 + 200, times 1/2.
  CHECK(IntegerValues(Kernel::Linear(), rows, 1, 2) == std::vector<float>{16257.5F, 12751});
  CHECK(IntegerValues(Kernel::HistogramIntersection(), rows, 1, 2) == std::vector<float>{129, 100.5F});
}

TEMPLATE_TEST_CASE("kernel values of integer rows are exact integers, rounded as documented", "", float,
                   double) {
  using T = TestType;
  for (const IntegerScale& scale : Scales())
    for (const std::size_t features : {1, 2, 3, 16, 61, 256}) {
      const auto rows = IntegerExamples<T>(53, features, scale, 7 * features);
      for (const Kernel& kernel : IntegerKernels()) {
        if (!TakesScale(kernel, scale)) continue;
        CAPTURE(scale.low, scale.high, scale.unit_norm, features, kernel.Describe());
        const auto values = IntegerValues(kernel, rows, 37, 53);
        const bool as_float = kernel.is_intersection() && scale.unit_norm;
        const bool exponential = kernel.kind == KernelKind::kRbf;
        double worst = 0;
        for (std::size_t i = 0; i < 53; ++i)
          for (std::size_t s = 0; s < 37; ++s) {
            const T got = values[i * 37 + s];
            if (exponential || as_float) {
              const double plain =
                  testing::PlainKernel(kernel, testing::DenseRow(rows, i), testing::DenseRow(rows, s));
              worst = std::max(worst, std::fabs(static_cast<double>(got) - plain) / std::max(1.0, plain));
              if (exponential && !scale.unit_norm && i == s) REQUIRE(got == T(1));
            } else {
              REQUIRE(got == ByHand<T>(kernel, *rows.integers(), i, s));
            }
          }
        CHECK(worst < (sizeof(T) == 4 ? 2e-5 : 1e-12));
        for (std::size_t i = 0; i < 37; ++i) {
          KernelEngine<T> engine(kernel);
          REQUIRE(static_cast<T>(engine.Self(engine.Prepare(rows), i, Purpose::kLearning)) ==
                  values[i * 37 + i]);
          REQUIRE(engine.counts().requested == 1);
        }
      }
    }
}

TEMPLATE_TEST_CASE("kernel values of integer rows have the same bits on every target and for any batching",
                   "", float, double) {
  using T = TestType;
  for (const IntegerScale& scale : Scales())
    for (const std::size_t features : {5, 98}) {
      const auto rows = IntegerExamples<T>(71, features, scale, features);
      for (const Kernel& kernel : IntegerKernels()) {
        if (!TakesScale(kernel, scale)) continue;
        std::vector<T> first;
        for (const std::string& target : AvailableTargets()) {
          const TargetGuard guard(target);
          for (const std::size_t batch : {1, 2, 7, 48, 71}) {
            CAPTURE(target, batch, kernel.Describe(), features);
            const auto values = IntegerValues(kernel, rows, 66, batch);
            if (first.empty()) first = values;
            REQUIRE(values == first);
          }
        }
      }
    }
}

TEMPLATE_TEST_CASE("the RBF kernel of integer rows has the bits of the float chain where that is exact", "",
                   float, double) {
  using T = TestType;
  const IntegerScale small{.high = 7};
  const auto rows = IntegerExamples<T>(40, 80, small, 3);
  const auto chain = rows.WithIntegers(nullptr);
  for (const Kernel& kernel : IntegerKernels())
    CHECK(IntegerValues(kernel, rows, 33, 40) == IntegerValues(kernel, chain, 33, 40));
}

TEST_CASE("integer rows survive subsets, joins, saved states and support sets") {
  for (const IntegerScale& scale : Scales()) {
    const auto rows = IntegerExamples<float>(30, 9, scale, 11);
    const auto numbers = [](const IntegerRows& of, std::size_t i) {
      std::vector<std::int32_t> list;
      for (std::size_t j = 0; j < of.features(); ++j) list.push_back(of.number(i, j));
      return list;
    };
    const auto same = [&](const Examples<float>& other, std::size_t i, std::size_t k) {
      REQUIRE(other.integers() != nullptr);
      CHECK(other.integers()->scale() == scale);
      CHECK(numbers(*other.integers(), i) == numbers(*rows.integers(), k));
      CHECK(other.integers()->squared_norm(i) == rows.integers()->squared_norm(k));
      CHECK(other.integers()->sum(i) == rows.integers()->sum(k));
      CHECK(testing::DenseRow(other, i) == testing::DenseRow(rows, k));
    };
    const std::vector<std::uint32_t> some = {4, 29, 0};
    const auto subset = rows.Subset(some);
    same(subset, 1, 29);
    same(Examples<float>::Join(subset, rows), 3 + 8, 8);
    CHECK_THROWS_WITH(Examples<float>::Join(subset, rows.WithIntegers(nullptr)), Catch::Contains("integers"));
    Archive written;
    SerializeRows(written, rows, 9);
    Archive reading(written.bytes());
    same(SerializeRows(reading, Examples<float>::Unlabelled(0, 9, {}), 9), 17, 17);
    KernelEngine<float> engine(Kernel::RbfFromGamma(0.01));
    const auto inputs = engine.Prepare(rows);
    for (const std::string& target : AvailableTargets()) {
      const TargetGuard guard(target);
      KernelEngine<float> here(Kernel::RbfFromGamma(0.01));
      SupportBlocks<float> set = here.MakeBlocks(rows), read = here.MakeBlocks(rows);
      for (std::size_t s = 0; s < 20; ++s) set.Put(s, inputs, 29 - s);
      set.Remove(3);
      const std::vector<std::size_t> slots = {0, 7, 19};
      same(set.Rows(slots), 2, 10);
      Archive kept;
      here.Serialize(kept, set);
      Archive back(kept.bytes());
      here.Serialize(back, read);
      REQUIRE(read.size() == 19);
      CHECK(!read.in_use(3));
      std::vector<float> values(set.slots()), again(set.slots());
      here.Row(set, inputs, 5, Purpose::kLearning, values.data());
      here.Row(read, inputs, 5, Purpose::kLearning, again.data());
      values[3] = again[3] = 0;
      CHECK(std::vector(values.begin(), values.begin() + 20) ==
            std::vector(again.begin(), again.begin() + 20));
    }
  }
}

TEST_CASE("integer rows that could overflow or have different scales are rejected") {
  CHECK(IntegerScale{}.Fits(33025));
  CHECK(!IntegerScale{}.Fits(33026));
  CHECK(!IntegerScale{.low = -32768, .high = 0}.Fits(1));
  CHECK(!IntegerScale{.low = 5, .high = 4}.Fits(1));
  CHECK_THROWS_AS(IntegerRows(IntegerScale{}, 33026), InvalidArgument);
  CHECK_THROWS_AS(IntegerRows(IntegerScale{.scale = std::nan("")}, 2), InvalidArgument);
  IntegerRows rows(IntegerScale{.low = 1}, 2);
  CHECK_THROWS_WITH(rows.Add(std::vector<std::int32_t>{1, 0}), Catch::Contains("from 1 to 255"));
  CHECK_THROWS_WITH(rows.Add(std::vector<std::int32_t>{1}), Catch::Contains("not 2"));
  const auto bytes = IntegerExamples<float>(4, 3, IntegerScale{}, 1);
  CHECK_THROWS_AS(bytes.WithIntegers(IntegerExamples<float>(5, 3, IntegerScale{}, 1).shared_integers()),
                  InvalidArgument);
  KernelEngine<float> engine(Kernel::Linear());
  SupportBlocks<float> set = engine.MakeBlocks(bytes);
  set.Put(0, engine.Prepare(bytes), 0);
  std::vector<float> row(16);
  for (const auto& other :
       {bytes.WithIntegers(nullptr), IntegerExamples<float>(4, 3, IntegerScale{.scale = 0.5}, 1)}) {
    const auto inputs = engine.Prepare(other);
    CHECK_THROWS_WITH(engine.Row(set, inputs, 0, Purpose::kLearning, row.data()),
                      Catch::Contains("same scale"));
    CHECK_THROWS_WITH(set.Put(1, inputs, 0), Catch::Contains("same scale"));
    // A set made for both kinds of rows uses the general packing, so it accepts these rows.
    SupportBlocks<float> both = engine.MakeBlocks(bytes, &other);
    both.Put(0, engine.Prepare(bytes), 0);
    engine.Row(both, inputs, 0, Purpose::kLearning, row.data());
  }
}

}  // namespace
}  // namespace okbench
