// Overhead of all measures of a binary stream, so far and over a window of 1000, beside a step of NORMA with
// 500 support vectors. Time per step.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "harness/measures/prediction_measure.h"
#include "learners/api/registry.h"
#include "learners/core/random.h"

namespace okbench::bench {
namespace {

constexpr std::size_t kSteps = 20000;

Examples<float> RandomRows(std::size_t features) {
  Random random(1);
  std::vector<float> values(kSteps * features);
  for (float& value : values) value = static_cast<float>(random.Normal());
  std::vector<std::int32_t> labels(kSteps);
  for (std::int32_t& label : labels) label = random.Uniform() < 0.5 ? -1 : 1;
  return Examples<float>::Dense(features, std::move(values), std::move(labels), LabelKind::kBinary, 2);
}

void NormaStep(benchmark::State& state) {
  const auto features = static_cast<std::size_t>(state.range(0));
  const Examples<float> data = RandomRows(features);
  const LearnerInfo& info = FindLearner("norma");
  const auto values = ParameterValues::Resolve(info.parameters, {{"buffer", std::int64_t{500}}});
  const auto learner =
      info.Make(values, LearnerContext<float>{.train = &data, .kernel = Kernel::RbfFromGamma(0.1)});
  auto& stream = dynamic_cast<StreamLearner&>(*learner);
  std::vector<std::uint32_t> order(kSteps);
  std::iota(order.begin(), order.end(), 0U);
  stream.Announce(order);
  std::uint32_t next = 0;
  while (learner->support_vectors() < 500) stream.Step(next++);
  for (auto _ : state) {
    benchmark::DoNotOptimize(stream.Step(next));
    next = next + 1 < kSteps ? next + 1 : 0;
  }
}
BENCHMARK(NormaStep)->ArgName("features")->Arg(22)->Arg(256)->Arg(784)->Iterations(15000);

void AllMeasures(benchmark::State& state) {
  std::vector<MeasureRequest> requests;
  const PredictionShape shape;
  for (const PredictionMeasureInfo& info : PredictionMeasures())
    if (UnfitFor(info, shape).empty())
      for (const std::size_t window : {std::size_t{0}, std::size_t{1000}})
        if (state.range(0) != 0 || info.needs != MeasureNeeds::kRanks)
          requests.push_back({info.name, window});
  PredictionMeter meter(shape, requests);
  Random random(2);
  std::vector<float> scores(kSteps);
  for (float& score : scores) score = static_cast<float>(random.Uniform() - 0.5);
  std::size_t next = 0;
  double sum = 0;
  for (auto _ : state) {
    const std::uint32_t label = next % 3 == 0 ? 1 : 0;
    meter.Add({.label = label,
               .predicted = scores[next] > 0 ? 1 : 0,
               .scores = std::span(scores).subspan(next, 1)});
    // A trace records 1000 rows per decade of steps.
    if (next % 40 == 0) meter.ForEach([&](const MeasureRequest&, double value) { sum += value; });
    next = next + 1 < kSteps ? next + 1 : 0;
  }
  benchmark::DoNotOptimize(sum);
}
BENCHMARK(AllMeasures)->ArgName("auc")->Arg(0)->Arg(1)->Iterations(kSteps);

}  // namespace
}  // namespace okbench::bench
