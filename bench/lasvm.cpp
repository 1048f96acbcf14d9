// LaSVM's step along a pair of rows over a training set as large as Adult, including the search for the next
// pair.

#include <benchmark/benchmark.h>

#include "learners/core/aligned.h"
#include "learners/core/random.h"
#include "learners/kernels/vector_ops.h"

namespace okbench::bench {
namespace {

constexpr std::size_t kSlots = 22704;

void LasvmStep(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  Random random(1);
  AlignedVector<float> rows(count * kSlots);
  for (float& value : rows) value = 1e-3F * static_cast<float>(random.Below(1000));
  AlignedVector<double> scores(kSlots);
  Contenders contenders;
  contenders.Resize(kSlots);
  // One third are members, and a quarter of these are at a bound.
  for (std::size_t s = 0; s < kSlots; ++s) {
    scores[s] = 1e-9 * static_cast<double>(random.Below(1000000000));
    const bool member = random.Below(3) == 0;
    const std::uint64_t bound = random.Below(8);
    contenders.Mark(s, random.Below(4) == 0 ? 1 : -1, member && bound != 0, member && bound != 1);
    contenders.SetRank(s, static_cast<std::uint32_t>(s));
  }
  const VectorOps<float> ops;
  for (auto _ : state) {
    const float* const row = rows.data() + random.Below(count) * kSlots;
    const float* const other = rows.data() + random.Below(count) * kSlots;
    benchmark::DoNotOptimize(ops.StepAndFindExtremes(row, other, 1e-6, scores.data(), contenders));
  }
  state.counters["bytes"] = benchmark::Counter(static_cast<double>(2 * kSlots * sizeof(float)),
                                               benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(LasvmStep)->ArgName("rows")->Arg(4)->Arg(3000);

}  // namespace
}  // namespace okbench::bench
