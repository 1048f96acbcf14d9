// A step of each kernel adaptive filter with a full dictionary, beside the time that its cost model predicts.
// bench/filters.py runs the same filters in NumPy.

#include <benchmark/benchmark.h>

#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "bench/digits.h"
#include "datasets/rows/load.h"
#include "harness/cost/estimate.h"
#include "learners/api/registry.h"

namespace okbench::bench {
namespace {

using Given = std::map<std::string, ParameterValue>;

// Parameters with which every dictionary fills.
const std::vector<std::pair<std::string, Given>> kFilters = {{"qklms", {{"epsilon", 0.1}}},
                                                             {"knlms", {{"mu0", 0.999}}},
                                                             {"kap", {{"mu0", 0.999}}},
                                                             {"sw-krls", {}},
                                                             {"fb-krls", {}},
                                                             {"krls-t", {}},
                                                             {"pkawv", {{"nu", 1e-9}}}};

// 10000 examples of the generated Lorenz series: the next value from the last six.
const Examples<double>& Lorenz() {
  static const Examples<double> rows = [] {
    const DataSet set = Catalogued("lorenz");
    DataRequest request;
    request.name = "lorenz";
    request.force_synthetic = true;
    return Load<double>(set, request, DataFolders::FromEnvironment());
  }();
  return rows;
}

// Seconds of a step with a full dictionary by the cost model, at nominal rates.
double Modelled(const LearnerInfo& info, const ParameterValues& values) {
  constexpr std::uint64_t kMany = 1000000;  // enough steps to fill any dictionary
  Trial trial;
  trial.workload = {.entries = 6, .row_bytes = 48, .value_bytes = 8, .lookahead = 1};
  const Rates rates = Rates::Nominal(trial);
  const auto seconds = [&](std::uint64_t steps) {
    Workload work = trial.workload;
    work.examples = work.training = steps;
    const Cost cost = info.cost_model(values, work);
    return cost.computed * rates.ValueOf(cost) + cost.multiply_adds * rates.multiply_add;
  };
  return (seconds(2 * kMany) - seconds(kMany)) / kMany;
}

void FilterStep(benchmark::State& state, const std::string& name, Given given) {
  const Examples<double>& rows = Lorenz();
  const auto budget = state.range(0);
  given["budget"] = budget;
  const LearnerInfo& info = FindLearner(name);
  const auto values = ParameterValues::Resolve(info.parameters, given);
  const auto learner = info.MakeAs<StreamLearner>(
      values, LearnerContext<double>{.train = &rows, .kernel = Kernel::RbfFromGamma(2), .lookahead = 1});
  std::vector<std::uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0U);
  learner->Announce(order);
  constexpr std::uint32_t kFirst = 2000;
  std::uint32_t next = 0;
  while (next < kFirst) learner->Step(next++);
  for (auto _ : state) {
    if (next == rows.size()) {
      state.SkipWithError("ran out of examples");
      break;
    }
    benchmark::DoNotOptimize(learner->Step(next++));
  }
  if (learner->support_vectors() != static_cast<std::size_t>(budget))
    state.SkipWithError("the dictionary is not full");
  state.counters["modelled"] = Modelled(info, values);
}

const bool kRegistered = [] {
  for (const auto& [name, given] : kFilters)
    benchmark::RegisterBenchmark(("FilterStep/" + name).c_str(), FilterStep, name, given)
        ->ArgName("budget")
        ->Arg(100)
        ->Arg(400)
        ->Iterations(1000);
  return true;
}();

}  // namespace
}  // namespace okbench::bench
