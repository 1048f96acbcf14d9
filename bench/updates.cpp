// Update of structural SFD on one mini-batch of USPS with ten classes: the dual by block ascent compared with
// algorithm 2 of the thesis (cutting planes), to the same relative gap. lambda_t = 1/k, f = 0.

#include <benchmark/benchmark.h>

#include <numeric>
#include <vector>

#include "bench/digits.h"
#include "learners/methods/structural_sfd/structural_sfd.h"

namespace okbench::bench {
namespace {

void Updates(benchmark::State& state, bool planes) {
  const auto k = static_cast<std::size_t>(state.range(0));
  const double gap = 1 / static_cast<double>(state.range(1));
  const Examples<float> data = LoadCatalogued({.name = "usps", .part = "train"});
  std::vector<std::uint32_t> batch(k);
  std::iota(batch.begin(), batch.end(), 0U);
  structural_sfd::Options options;
  options.planes = planes;
  options.gap = options.epsilon = gap;
  const LearnerContext<float> context{.train = &data, .test = nullptr, .kernel = Kernel::RbfFromGamma(0.03)};
  std::vector<double> report(7);
  for (auto _ : state) {
    state.PauseTiming();
    structural_sfd::StructuralSfd<float> learner(options, context);
    state.ResumeTiming();
    learner.Round(batch);
    state.PauseTiming();
    learner.Report(report);
    state.ResumeTiming();
  }
  // Result of the update: ||u||^2, and the relative gap to the primal objective.
  state.counters["update_norm"] = report[1];
  state.counters["relative_gap"] = report[4];
  state.counters["steps"] = report[5];
}

void UpdateByDual(benchmark::State& state) { Updates(state, false); }
void UpdateByPlanes(benchmark::State& state) { Updates(state, true); }
BENCHMARK(UpdateByDual)
    ->ArgNames({"examples", "gap_of_one_in"})
    ->ArgsProduct({{73, 200}, {100, 1000, 10000}});
BENCHMARK(UpdateByPlanes)
    ->ArgNames({"examples", "gap_of_one_in"})
    ->ArgsProduct({{73, 200}, {100, 1000, 10000}});

}  // namespace
}  // namespace okbench::bench
