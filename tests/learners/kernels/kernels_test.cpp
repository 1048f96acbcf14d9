// Kernel engine: correct values, the same bits on every target and for any batching, and exact counts.

#include <algorithm>
#include <fstream>
#include <numeric>

#include "base/error.h"
#include "learners/core/interned_rows.h"
#include "learners/kernels/engine.h"
#include "learners/kernels/stream_rows.h"
#include "tests/catch.h"
#include "tests/helpers.h"
#include "tests/learners/kernels/target_guard.h"

namespace okbench {
namespace {

using testing::DenseAndSparse;
using testing::PlainKernel;
using testing::TargetGuard;

// A sum of three kernels over overlapping ranges of features.
Kernel SumOf(std::size_t features) {
  const std::size_t half = features / 2;
  return Kernel::Sum({{0.5, Kernel::RbfFromGamma(0.05), 0, features - half},
                      {2, Kernel::HistogramIntersection(), half, features - half},
                      {0.3, Kernel::Polynomial(2, 0.5, 1), half / 2, half / 2 + 1}});
}

std::vector<Kernel> PlainKernels() {
  return {Kernel::Linear(),
          Kernel::Polynomial(9, 1, 0),
          Kernel::Polynomial(3, 0.5, 1),
          Kernel::Polynomial(1, 2, 0),
          Kernel::RbfFromGamma(0.05),
          Kernel::RbfFromSigma(8),
          Kernel::HistogramIntersection()};
}

// (1 + <a, b>)^2, computed outside the engine.
class OutsideKernel final : public KernelFunction {
 public:
  void Values(const double* a, std::size_t n, const double* b, std::size_t m, std::size_t features,
              double* out) const override {
    for (std::size_t r = 0; r < n; ++r)
      for (std::size_t s = 0; s < m; ++s) {
        const double dot =
            std::inner_product(a + r * features, a + (r + 1) * features, b + s * features, 1.0);
        out[r * m + s] = dot * dot;
      }
  }
  std::string Describe() const override { return "outside"; }
};

std::vector<Kernel> AllKernels(std::size_t features) {
  std::vector<Kernel> kernels = PlainKernels();
  kernels.push_back(SumOf(features));
  kernels.push_back(Kernel::Function(std::make_shared<OutsideKernel>()));
  for (const std::size_t biased : {std::size_t{4}, std::size_t{6}, kernels.size() - 2, kernels.size() - 1}) {
    kernels.push_back(kernels[biased]);
    kernels.back().bias = 0.75;
  }
  return kernels;
}

// Support vectors `first` .. `first + count - 1` of the examples.
template <class T>
SupportBlocks<T> Fill(const Inputs<T>& inputs, std::size_t count, Packing packing) {
  SupportBlocks<T> set(inputs.rows->features(), packing, inputs.terms);
  for (std::size_t s = 0; s < count; ++s) set.Put(s, inputs, s);
  return set;
}

// Values of all rows against the first `support` rows, in batches of `batch` queries.
template <class T>
std::vector<T> Evaluate(const Kernel& kernel, const Examples<T>& support, const Examples<T>& queries,
                        std::size_t count, Packing packing, std::size_t batch) {
  KernelEngine<T> engine(kernel);
  const Inputs<T> support_inputs = engine.Prepare(support), query_inputs = engine.Prepare(queries);
  const SupportBlocks<T> set = Fill(support_inputs, count, packing);
  std::vector<std::uint32_t> rows(queries.size());
  std::iota(rows.begin(), rows.end(), 0U);
  std::vector<T> values(rows.size() * set.slots());
  for (std::size_t r = 0; r < rows.size(); r += batch)
    engine.Rows(set, query_inputs, std::span(rows).subspan(r, std::min(batch, rows.size() - r)),
                Purpose::kLearning, true, values.data() + r * set.slots(), set.slots());
  REQUIRE(engine.counts().requested == count * rows.size());
  REQUIRE(engine.counts().computed == count * rows.size());
  // Skips lanes without a support vector.
  std::vector<T> used;
  for (std::size_t r = 0; r < rows.size(); ++r)
    used.insert(used.end(), values.begin() + static_cast<std::ptrdiff_t>(r * set.slots()),
                values.begin() + static_cast<std::ptrdiff_t>(r * set.slots() + count));
  return used;
}

// Rows whose norms (about `norm`) are far above their distances (about 1): dense, and in sparse storage. A
// third of the features are zero in about half of the rows.
template <class T>
std::pair<Examples<T>, Examples<T>> CloseRows(std::size_t rows, std::size_t features, double norm,
                                              std::uint64_t seed) {
  Random random(seed);
  const double root = std::sqrt(static_cast<double>(features));
  std::vector<T> dense, values;
  std::vector<std::uint32_t> indices;
  std::vector<std::size_t> offsets = {0};
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t f = 0; f < features; ++f) {
      const bool rare = f % 3 == 2;
      const double value = (rare ? 0 : norm) + random.Normal();
      dense.push_back(rare && random.Below(2) == 0 ? T(0) : static_cast<T>(value / root));
      if (dense.back() == T(0)) continue;
      values.push_back(dense.back());
      indices.push_back(static_cast<std::uint32_t>(f));
    }
    offsets.push_back(values.size());
  }
  return {Examples<T>::Unlabelled(rows, features, dense),
          Examples<T>::Unlabelled(rows, features, values, offsets, indices)};
}

TEMPLATE_TEST_CASE("kernel values agree with the plain formula", "", float, double) {
  const auto [dense, sparse] = DenseAndSparse<TestType>(70, 37, 0.4, false, 11);
  for (const Kernel& kernel : AllKernels(37)) {
    const auto values = Evaluate<TestType>(kernel, dense, dense, 50, Packing::kDense, 7);
    for (std::size_t q = 0; q < 70; ++q)
      for (std::size_t s = 0; s < 50; ++s) {
        const double exact = PlainKernel(kernel, dense, q, dense, s);
        const double tolerance = sizeof(TestType) == 4 ? 2e-5 : 1e-12;
        REQUIRE(static_cast<double>(values[q * 50 + s]) ==
                Approx(exact).epsilon(tolerance).margin(tolerance));
      }
  }
}

TEMPLATE_TEST_CASE("kernel values have the same bits for every target, batching and sparse format", "", float,
                   double) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const std::size_t features = 1 + 41 * seed;  // 1, 42, 83, 124: no common divisor with vector lengths
    const auto [dense, sparse] = DenseAndSparse<TestType>(101, features, 0.3, false, seed);
    for (const Kernel& kernel : AllKernels(features)) {
      const auto reference = Evaluate<TestType>(kernel, dense, dense, 90, Packing::kDense, 101);
      for (const std::string& target : AvailableTargets()) {
        const TargetGuard guard(target);
        for (const std::size_t batch : {1, 2, 5, 48, 101}) {
          REQUIRE(Evaluate<TestType>(kernel, dense, dense, 90, Packing::kDense, batch) == reference);
          REQUIRE(Evaluate<TestType>(kernel, dense, sparse, 90, Packing::kDense, batch) == reference);
          REQUIRE(Evaluate<TestType>(kernel, sparse, dense, 90, Packing::kDense, batch) == reference);
        }
      }
    }
  }
}

TEMPLATE_TEST_CASE("bit-packed 0/1 rows give the same bits as unpacked rows", "", float, double) {
  for (const std::size_t features : {1, 31, 32, 33, 123, 300}) {
    const auto [dense, sparse] = DenseAndSparse<TestType>(70, features, 0.2, true, features);
    REQUIRE(dense.zero_one());
    for (const Kernel& kernel : PlainKernels()) {
      const auto reference = Evaluate<TestType>(kernel, dense, dense, 60, Packing::kDense, 70);
      for (const std::string& target : AvailableTargets()) {
        const TargetGuard guard(target);
        REQUIRE(Evaluate<TestType>(kernel, sparse, sparse, 60, Packing::kBits, 3) == reference);
        REQUIRE(Evaluate<TestType>(kernel, sparse, dense, 60, Packing::kBits, 70) == reference);
      }
    }
  }
}

TEMPLATE_TEST_CASE("wide sparse 0/1 rows need memory for their nonzeros only", "", float, double) {
  const auto [dense, sparse] = DenseAndSparse<TestType>(70, 5000, 0.01, true, 3);
  REQUIRE(dense.zero_one());
  REQUIRE(!sparse.zero_one());  // no masks
  REQUIRE(sparse.bytes() < dense.bytes() / 20);
  const KernelEngine<TestType> engine(Kernel::Linear());
  REQUIRE(engine.MakeBlocks(sparse).packing() == Packing::kInverted);
  for (const Kernel& kernel : PlainKernels())
    REQUIRE(Evaluate<TestType>(kernel, sparse, sparse, 60, Packing::kInverted, 70) ==
            Evaluate<TestType>(kernel, dense, dense, 60, Packing::kBits, 70));
}

TEMPLATE_TEST_CASE("k(x,x) has the bits of the row's own entry and counts as one evaluation", "", float,
                   double) {
  const auto [dense, sparse] = DenseAndSparse<TestType>(40, 29, 0.5, false, 5);
  for (const Kernel& kernel : AllKernels(29)) {
    KernelEngine<TestType> engine(kernel);
    for (const auto* examples : {&dense, &sparse}) {
      const auto inputs = engine.Prepare(*examples);
      const auto set = Fill(inputs, 40, Packing::kDense);
      std::vector<TestType> row(set.slots());
      for (std::size_t i = 0; i < 40; ++i) {
        engine.Row(set, inputs, i, Purpose::kLearning, row.data());
        const std::uint64_t before = engine.counts().requested;
        REQUIRE(engine.Self(inputs, i, Purpose::kLearning) == static_cast<double>(row[i]));
        REQUIRE(engine.counts().requested == before + 1);
      }
    }
  }
}

TEMPLATE_TEST_CASE("RBF values stay accurate over the whole range of exp", "", float, double) {
  // x = (a), z = 0: k = exp(-gamma a^2), where a^2 is exact for integer a.
  std::vector<TestType> values;
  std::vector<std::int32_t> labels;
  for (int a = 0; a < 400; ++a) {
    values.push_back(static_cast<TestType>(a) / 8);
    labels.push_back(1);
  }
  const auto points = Examples<TestType>::Dense(1, values, labels, LabelKind::kBinary, 2);
  const auto row = Evaluate<TestType>(Kernel::RbfFromGamma(0.5), points, points, 1, Packing::kDense, 400);
  for (int a = 0; a < 400; ++a) {
    const double exact = std::exp(-0.5 * a * a / 64.0);
    const double limit = sizeof(TestType) == 4 ? 1.2e-38 : 3e-308;
    if (exact < limit)
      REQUIRE(row[static_cast<std::size_t>(a)] == 0);
    else
      REQUIRE(static_cast<double>(row[static_cast<std::size_t>(a)]) ==
              Approx(exact).epsilon(sizeof(TestType) == 4 ? 1e-5 : 1e-13));
  }
}

TEMPLATE_TEST_CASE("RBF values of close rows with large norms are within 1e-5", "", float, double) {
  // ||x||^2 + ||x'||^2 - 2 <x,x'> by hand: with x = 4096, x' = 4097 every term is rounded to a multiple of 2
  // in single precision, so the distance 1 becomes 0 or 2.
  const Examples<float> years = Examples<float>::Unlabelled(2, 1, {4096, 4097});
  const Kernel unit = Kernel::RbfFromGamma(1);
  CHECK(Evaluate<float>(unit, years, years, 2, Packing::kDense, 2)[1] == Approx(std::exp(-1.0)).margin(1e-7));
  double largest = 0;
  for (const std::size_t features : {1, 22, 300}) {
    for (const double norm : {0.5, 3.0, 30.0, 2000.0}) {
      const auto [dense, sparse] = CloseRows<TestType>(60, features, norm, features);
      const Kernel term = Kernel::RbfFromGamma(0.5);
      const Kernel sum =
          Kernel::Sum({{1, term, 0, (features + 1) / 2}, {0.5, term, features / 2, features - features / 2}});
      for (const Kernel& kernel : {Kernel::RbfFromGamma(0.02), term, Kernel::RbfFromGamma(8), sum}) {
        const auto values = Evaluate<TestType>(kernel, dense, dense, 50, Packing::kDense, 7);
        for (std::size_t q = 0; q < 60; ++q)
          for (std::size_t s = 0; s < 50; ++s)
            largest = std::max(largest, std::fabs(static_cast<double>(values[q * 50 + s]) -
                                                  PlainKernel(kernel, dense, q, dense, s)));
        for (const std::string& target : AvailableTargets()) {
          const TargetGuard guard(target);
          REQUIRE(Evaluate<TestType>(kernel, dense, dense, 50, Packing::kDense, 1) == values);
          REQUIRE(Evaluate<TestType>(kernel, dense, sparse, 50, Packing::kDense, 60) == values);
          if (kernel.kind == KernelKind::kRbf)
            REQUIRE(Evaluate<TestType>(kernel, sparse, sparse, 50, Packing::kInverted, 60) == values);
        }
      }
    }
  }
  CHECK(largest <= kRbfTolerance);
}

TEMPLATE_TEST_CASE("rows evaluated ahead equal rows evaluated alone, whatever changes in between", "", float,
                   double) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const auto [dense, sparse] = DenseAndSparse<TestType>(300, 23, 0.5, false, 100 + seed);
    Random random(seed);
    KernelEngine<TestType> ahead(Kernel::RbfFromGamma(0.1)), alone(Kernel::RbfFromGamma(0.1));
    const auto inputs = ahead.Prepare(dense);
    auto set = ahead.MakeBlocks(dense);
    StreamRows<TestType> rows(ahead, inputs, 1 + random.Below(60));
    std::vector<std::uint32_t> order(300);
    std::iota(order.begin(), order.end(), 0U);
    rows.Announce(order);
    std::vector<TestType> expected;
    const std::uint64_t capacity = 20 + random.Below(150);
    const double insert_rate = random.Uniform();
    std::uint64_t head = 0;
    for (const std::uint32_t i : order) {
      if (random.Uniform() < 0.02) rows.Row(set, 299 - i);  // out of order
      const std::uint64_t requested = ahead.counts().requested;
      const TestType* row = rows.Row(set, i);
      REQUIRE(ahead.counts().requested == requested + set.size());
      expected.resize(set.slots());
      alone.Row(set, inputs, i, Purpose::kLearning, expected.data());
      for (std::size_t s = 0; s < set.size(); ++s) REQUIRE(row[s] == expected[s]);
      if (random.Uniform() < insert_rate) set.Put(head++ % capacity, inputs, i);
    }
    CHECK(ahead.counts().computed >= ahead.counts().requested);
  }
}

TEST_CASE("evaluation cost is counted separately from learning cost") {
  const auto [dense, sparse] = DenseAndSparse<float>(20, 5, 0.5, false, 1);
  KernelEngine<float> engine(Kernel::Linear());
  const auto inputs = engine.Prepare(dense);
  const auto set = Fill(inputs, 20, Packing::kDense);
  std::vector<float> row(set.slots());
  engine.Row(set, inputs, 0, Purpose::kMeasuring, row.data());
  CHECK(engine.counts().requested == 0);
  CHECK(engine.counts().computed == 0);
  CHECK(engine.counts().evaluation == 20);
}

TEST_CASE("a value of a kernel sum counts as one evaluation, and its terms are counted separately") {
  const auto [dense, sparse] = DenseAndSparse<float>(20, 6, 0.5, false, 1);
  KernelEngine<float> engine(SumOf(6));
  const auto inputs = engine.Prepare(dense);
  const auto set = Fill(inputs, 20, Packing::kDense);
  std::vector<float> row(set.slots());
  engine.Row(set, inputs, 0, Purpose::kLearning, row.data());
  engine.Self(inputs, 3, Purpose::kLearning);
  engine.Row(set, inputs, 1, Purpose::kMeasuring, row.data());
  CHECK(engine.counts().requested == 21);
  CHECK(engine.counts().computed == 21);
  CHECK(engine.counts().terms == 63);
  CHECK(engine.counts().evaluation == 20);
}

TEST_CASE("kernel sums pack rows as features, whatever the rows") {
  const auto [dense, sparse] = DenseAndSparse<float>(20, 6, 0.5, true, 1);
  CHECK(KernelEngine<float>(Kernel::Linear()).MakeBlocks(dense).packing() == Packing::kBits);
  CHECK(KernelEngine<float>(SumOf(6)).MakeBlocks(sparse).packing() == Packing::kDense);
}

TEST_CASE("invalid kernel sums are rejected") {
  CHECK_THROWS_AS(Kernel::Sum({}), InvalidArgument);
  CHECK_THROWS_AS(Kernel::Sum({{0, Kernel::Linear(), 0, 1}}), InvalidArgument);
  CHECK_THROWS_AS(Kernel::Sum({{1, Kernel::Linear(), 0, 0}}), InvalidArgument);
  CHECK_THROWS_AS(Kernel::Sum({{1, SumOf(4), 0, 4}}), InvalidArgument);
  const auto rows = testing::RandomDense<float>(4, 3, LabelKind::kBinary, 2, 1);
  const KernelEngine<float> engine(Kernel::Sum({{1, Kernel::Linear(), 0, 3}, {1, Kernel::Linear(), 2, 2}}));
  CHECK_THROWS_WITH(engine.Prepare(rows), Catch::Contains("term 1 of the kernel is on features 2 to 3"));
}

TEMPLATE_TEST_CASE("interned rows give the same values as equal rows of a set", "", float, double) {
  for (const Kernel& kernel : AllKernels(11)) {
    const auto rows = DenseAndSparse<TestType>(90, 11, 0.5, false, 4).first;
    std::size_t computations = 0;
    // Pair (e, o) is row 3 e + o of the set.
    InternedRows<TestType> pool(11, true, [&](const auto& pair, std::span<TestType> to) {
      ++computations;
      const auto row = rows.row(3 * pair.example + pair.output);
      std::copy_n(row.values, row.count, to.begin());
    });
    KernelEngine<TestType> engine(kernel), other(kernel);
    auto inputs = engine.Prepare(pool);
    const auto all = other.Prepare(rows);
    SupportBlocks<TestType> set = engine.MakeBlocks(pool), same = other.MakeBlocks(rows);
    Random random(8);
    std::size_t slots = 0;
    for (int step = 0; step < 200; ++step) {
      const auto i = static_cast<std::uint32_t>(random.Below(90));
      const std::uint32_t place = pool.Row({i / 3, i % 3});
      REQUIRE(place == pool.Row({i / 3, i % 3}));
      REQUIRE((pool.pair(place).example == i / 3 && pool.pair(place).output == i % 3));
      engine.Extend(inputs);
      set.Put(slots, inputs, place);
      same.Put(slots++, all, i);
      std::vector<TestType> values(set.slots()), expected(set.slots());
      engine.Row(set, inputs, place, Purpose::kLearning, values.data());
      other.Row(same, all, i, Purpose::kLearning, expected.data());
      for (std::size_t s = 0; s < slots; ++s) REQUIRE(values[s] == expected[s]);
    }
    CHECK(computations == pool.size());
    CHECK(pool.size() > 64);
    CHECK(engine.counts().requested == other.counts().requested);
  }
}

TEST_CASE("an invalid row is not interned") {
  InternedRows<float> pool(2, true, [](const auto& pair, std::span<float> to) {
    to[0] = pair.output == 1 ? -1.0F : static_cast<float>(pair.example);
  });
  CHECK(pool.Row({5, 0}) == 0);
  CHECK_THROWS_WITH(pool.Row({5, 1}), Catch::Contains("output 1 of example 5"));
  CHECK(pool.size() == 1);
  CHECK(pool.Row({6, 0}) == 1);
  CHECK(pool.row(1).values[0] == 6);
  CHECK_THROWS_AS(InternedRows<float>(0, true, nullptr), InvalidArgument);
}

TEST_CASE("a function kernel agrees with the engine's polynomial, and describes itself") {
  const Kernel outside = Kernel::Function(std::make_shared<OutsideKernel>());
  const std::vector<double> x = {0.5, -1, 2}, z = {1, 0.25, -0.5};
  CHECK(PlainKernel(outside, x, z) == Approx(PlainKernel(Kernel::Polynomial(2, 1, 1), x, z)));
  CHECK(outside.Describe() == "outside");
  Kernel biased = outside;
  biased.bias = 0.5;
  CHECK(biased.Describe() == "outside; plus 0.5");
  biased.bias = -1;
  CHECK_THROWS_WITH(biased.Validate(), "kernel: bias must be >= 0");
  CHECK_THROWS_WITH(Kernel::Sum({{1, outside, 0, 2}}), Catch::Contains("must not be a sum or a function"));
  CHECK_THROWS_WITH((Kernel{.kind = KernelKind::kFunction, .terms = {}}).Validate(),
                    Catch::Contains("only a function kernel"));
}

TEST_CASE("kernel parameters out of range and incompatible data are rejected") {
  CHECK_THROWS_AS(Kernel::RbfFromGamma(0), InvalidArgument);
  CHECK_THROWS_AS(Kernel::RbfFromSigma(-1), InvalidArgument);
  CHECK_THROWS_AS(Kernel::Polynomial(0, 1, 0), InvalidArgument);
  CHECK_THROWS_AS(Kernel::Polynomial(3, 1, -1), InvalidArgument);
  const auto negative = Examples<float>::Dense(1, {-1.0F}, {1}, LabelKind::kBinary, 2);
  CHECK_THROWS_AS(KernelEngine<float>(Kernel::HistogramIntersection()).Prepare(negative), InvalidArgument);
  CHECK_THROWS_AS(SelectTarget("sse2"), InvalidArgument);
}

TEST_CASE("examples with non-finite values or labels out of range are rejected") {
  CHECK_THROWS_AS(Examples<float>::Dense(1, {NAN}, {1}, LabelKind::kBinary, 2), InvalidArgument);
  CHECK_THROWS_AS(Examples<float>::Dense(1, {1.0F}, {3}, LabelKind::kMulticlass, 3), InvalidArgument);
  CHECK_THROWS_AS(Examples<float>::Dense(2, {1.0F}, {1}, LabelKind::kBinary, 2), InvalidArgument);
  CHECK_THROWS_AS(Examples<float>::Sparse(2, {0, 2}, {1, 0}, {1.0F, 1.0F}, {1}, LabelKind::kBinary, 2),
                  InvalidArgument);
}

TEST_CASE("only learners/kernels includes the uncounted arithmetic") {
  namespace fs = std::filesystem;
  const fs::path root = OKBENCH_SOURCE_FOLDER;
  for (const char* folder : {"base", "learners", "boxes", "datasets", "harness"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
      if (entry.path().string().starts_with((root / "learners" / "kernels").string())) continue;
      std::ifstream file(entry.path());
      const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
      INFO(entry.path());
      CHECK(text.find("kernels/internal") == std::string::npos);
    }
}

TEST_CASE("rows with another number of features than the support set are rejected") {
  const auto two = testing::RandomDense<float>(4, 2, LabelKind::kBinary, 2, 1);
  const auto three = testing::RandomDense<float>(4, 3, LabelKind::kBinary, 2, 1);
  KernelEngine<float> engine(Kernel::Linear());
  const Inputs<float> inputs = engine.Prepare(two), others = engine.Prepare(three);
  SupportBlocks<float> set = engine.MakeBlocks(two);
  set.Put(0, inputs, 0);
  std::vector<float> row(set.slots());
  CHECK_THROWS_WITH(engine.Row(set, others, 0, Purpose::kLearning, row.data()),
                    Catch::Contains("rows of 3 features"));
}

}  // namespace
}  // namespace okbench
