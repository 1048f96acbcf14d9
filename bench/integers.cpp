// Integer rows compared with the same rows as floats, in one run: 8 and 16 bits, the best target and AVX2.
// Checks every result.

#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <numeric>

#include "learners/core/random.h"
#include "learners/kernels/engine.h"
#include "learners/kernels/target.h"

namespace okbench::bench {
namespace {

constexpr double kGamma = 0.02;

enum Rows : std::int64_t { kFloats, kBytes, kWords };

// Random pixels, two thirds of them 0.
Examples<float> Pixels(std::size_t rows, std::size_t features, std::int64_t as) {
  IntegerScale scale{.scale = 1.0 / 255};
  if (as == kWords) scale.high = 256;  // does not fit 8 bits
  Random random(1);
  auto whole = std::make_shared<IntegerRows>(scale, features);
  std::vector<float> values;
  std::vector<std::int32_t> numbers(features);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::int32_t& n : numbers)
      n = random.Below(3) > 0 ? 0 : static_cast<std::int32_t>(random.Below(256));
    whole->Add(numbers);
    for (const std::int32_t n : numbers) values.push_back(static_cast<float>(n * scale.scale));
  }
  auto examples = Examples<float>::Unlabelled(rows, features, std::move(values));
  return as == kFloats ? examples : examples.WithIntegers(std::move(whole));
}

// A batch of queries against 4096 vectors.
void IntegerQueriesOf(benchmark::State& state) {
  constexpr std::size_t kVectors = 4096, kQueries = 100;
  const auto queries = static_cast<std::size_t>(state.range(0));
  const auto features = static_cast<std::size_t>(state.range(3));
  SelectTarget(state.range(2) != 0 ? "avx2" : "best");
  {
    const Examples<float> rows = Pixels(kVectors + kQueries, features, state.range(1));
    KernelEngine<float> engine(Kernel::RbfFromGamma(kGamma));
    const auto inputs = engine.Prepare(rows);
    SupportBlocks<float> set = engine.MakeBlocks(rows);
    for (std::size_t s = 0; s < kVectors; ++s) set.Put(s, inputs, s);
    std::vector<std::uint32_t> queried(kQueries);
    std::iota(queried.begin(), queried.end(), static_cast<std::uint32_t>(kVectors));
    AlignedVector<float> out(queries * set.slots());
    std::size_t next = 0;
    for (auto _ : state) {
      engine.Rows(set, inputs, std::span(queried).subspan(next, queries), Purpose::kLearning, true,
                  out.data(), set.slots());
      next = queries == 1 ? (next + 1) % kQueries : 0;
      benchmark::DoNotOptimize(out.data());
    }
    engine.Rows(set, inputs, std::span(queried).first(queries), Purpose::kLearning, true, out.data(),
                set.slots());
    double distance = 0;
    for (std::size_t j = 0; j < features; ++j) {
      const double difference = static_cast<double>(rows.row(kVectors).values[j] - rows.row(7).values[j]);
      distance += difference * difference;
    }
    if (std::fabs(static_cast<double>(out[7]) - std::exp(-kGamma * distance)) > 2e-5)
      state.SkipWithError("wrong result");
    state.counters["values"] = benchmark::Counter(static_cast<double>(queries * kVectors),
                                                  benchmark::Counter::kIsIterationInvariantRate);
  }
  SelectTarget("best");
}

void IntegerArguments(benchmark::internal::Benchmark* benchmark) {
  for (const std::int64_t avx2 : {0, 1})
    for (const std::int64_t queries : {1, 100})
      for (const std::int64_t rows : {kFloats, kBytes, kWords}) benchmark->Args({queries, rows, avx2, 784});
  for (const std::int64_t rows : {kFloats, kBytes}) benchmark->Args({100, rows, 0, 16});
}
BENCHMARK(IntegerQueriesOf)->ArgNames({"queries", "rows", "avx2", "features"})->Apply(IntegerArguments);

}  // namespace
}  // namespace okbench::bench
