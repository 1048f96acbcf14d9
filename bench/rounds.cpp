// Whole trials of the methods that learn in rounds: two epochs with test errors at 40 checkpoints. Uses real
// data from OKBENCH_MIRROR or the cache, otherwise synthetic fallbacks.

#include <benchmark/benchmark.h>

#include <string>

#include "bench/digits.h"
#include "datasets/rows/stream.h"
#include "learners/api/registry.h"

namespace okbench::bench {
namespace {

constexpr std::uint64_t kCheckpoints = 40;

Examples<float> Part(const std::string& name, const std::string& part) {
  DataRequest request;
  request.name = name;
  request.part = part;
  return LoadCatalogued(request);
}

void TwoEpochs(benchmark::State& state, const std::string& data, double gamma, const std::string& method,
               double lambda_n) {
  const Examples<float> train = Part(data, "train"), test = Part(data, "test");
  const LearnerInfo& info = FindLearner(method);
  std::map<std::string, ParameterValue> given;
  if (lambda_n > 0) given["lambda"] = lambda_n / static_cast<double>(train.size());
  const auto values = ParameterValues::Resolve(info.parameters, given);
  const std::uint64_t k = (train.size() + 50) / 100;
  for (auto _ : state) {
    const Batches batches = MakeBatches({Order::kUniform, 2, 0}, train.size(), k, 1);
    const auto learner = info.MakeAs<RoundLearner>(
        values,
        LearnerContext<float>{
            .train = &train, .test = &test, .kernel = Kernel::RbfFromGamma(gamma), .batch = k, .seed = 1});
    const bool drawn = info.protocol == Protocol::kMiniBatches;
    const std::uint64_t all = drawn ? batches.rows.size() : 2 * train.size();
    TestOutcome outcome;
    std::uint64_t round = 0;
    for (std::uint64_t done = 0; done < all; ++round) {
      const RoundOutcome shown = learner->Round(drawn ? batches[round] : std::span<const std::uint32_t>());
      const std::uint64_t before = done;
      done = shown.finished ? all : done + shown.examples;
      while (done >= all && !learner->Finish()) {
      }
      if (before * kCheckpoints / all != done * kCheckpoints / all) outcome = learner->Test();
    }
    state.counters["test_error"] =
        static_cast<double>(outcome.mistakes) / static_cast<double>(outcome.examples);
    state.counters["requested"] = static_cast<double>(learner->counts().requested);
    state.counters["computed"] = static_cast<double>(learner->counts().computed);
  }
  state.counters["seconds"] =
      benchmark::Counter(1, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

BENCHMARK_CAPTURE(TwoEpochs, sfd_a8a, "a8a", 0.05, "sfd", 0)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(TwoEpochs, sfd_ijcnn1, "ijcnn1", 1.0, "sfd", 0)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(TwoEpochs, sfd_w8a, "w8a", 0.1, "sfd", 0)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(TwoEpochs, lasvm_a8a, "a8a", 0.05, "lasvm", 0.25)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
}  // namespace okbench::bench
