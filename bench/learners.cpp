// Steps and whole trials of the learners, on generated stand-ins, so that they run anywhere; `OKBENCH_MIRROR`
// makes them run on the real digits.

#include <benchmark/benchmark.h>

#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "datasets/load.h"
#include "learners/registry.h"

namespace okbench::bench {
namespace {

const Examples<float>& Digits(const std::string& name) {
  static std::map<std::string, Examples<float>> loaded;
  const auto found = loaded.find(name);
  if (found != loaded.end()) return found->second;
  Catalog catalog;
  catalog.Read(OKBENCH_SOURCE_FOLDER "/datasets/catalog.toml");
  DataRequest request;
  request.name = name;
  if (name == "mnist") request.rescale = request.unit_norm = true;
  request.force_stand_in = PlanData(catalog.Find(name), request, DataFolders::FromEnvironment()).stand_in;
  return loaded.emplace(name, Load<float>(catalog.Find(name), request, DataFolders::FromEnvironment()))
      .first->second;
}

// One whole pass; both learners keep the same number of support vectors, as mu = 0 and a constant step make
// them the same method.
void Trial(benchmark::State& state, const std::string& data, const std::string& learner, const Kernel& kernel,
           std::map<std::string, ParameterValue> parameters) {
  const auto& train = Digits(data);
  const LearnerInfo& info = FindLearner(learner);
  parameters["loss"] = std::string("multiclass-hinge");
  const auto values = ParameterValues::Resolve(info.parameters, parameters);
  std::vector<std::uint32_t> order(train.size());
  std::iota(order.begin(), order.end(), 0U);
  std::uint64_t requested = 0;
  for (auto _ : state) {
    const auto trial = info.Make(
        values, LearnerContext<float>{.train = &train, .test = nullptr, .kernel = kernel, .tile = 48});
    trial->Announce(order);
    for (const std::uint32_t i : order) benchmark::DoNotOptimize(trial->Step(i));
    requested = trial->counts().requested;
  }
  state.counters["seconds"] =
      benchmark::Counter(1, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["requested"] = static_cast<double>(requested);
  state.counters["values"] =
      benchmark::Counter(static_cast<double>(requested), benchmark::Counter::kIsIterationInvariantRate);
}

const std::map<std::string, ParameterValue> kUsps = {{"c", 0.002 / 7291}, {"eta0", 0.1}};

void NormaUsps(benchmark::State& state) {
  auto parameters = kUsps;
  parameters["schedule"] = std::string("constant");
  Trial(state, "usps", "norma", Kernel::RbfFromSigma(8), parameters);
}
BENCHMARK(NormaUsps)->Unit(benchmark::kMillisecond);

void SvmdUsps(benchmark::State& state) {
  auto parameters = kUsps;
  parameters["mu"] = 0.0;
  parameters["lambda"] = 0.99;
  Trial(state, "usps", "svmd", Kernel::RbfFromSigma(8), parameters);
}
BENCHMARK(SvmdUsps)->Unit(benchmark::kMillisecond);

void SvmdMnist4096(benchmark::State& state) {
  Trial(state, "mnist", "svmd", Kernel::Polynomial(9, 1, 0),
        {{"c", 0.002 / 60000}, {"eta0", 1.0}, {"mu", 0.01}, {"lambda", 1.0}, {"buffer", std::int64_t{4096}}});
}
BENCHMARK(SvmdMnist4096)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace okbench::bench
