#include "harness/plan/stream_search.h"

#include <algorithm>

#include "harness/spec/kernel_reader.h"

namespace okbench {

using nlohmann::json;

std::vector<TunedAxis> TunedAxes(const std::vector<Candidate>& candidates) {
  std::vector<TunedAxis> axes;
  for (const auto& [name, first] : candidates.front().values.items()) {
    TunedAxis& axis = axes.emplace_back(TunedAxis{.name = name, .values = {}});
    for (const Candidate& candidate : candidates)
      if (const json& value = candidate.values[axis.name];
          std::ranges::find(axis.values, value) == axis.values.end())
        axis.values.push_back(value);
  }
  std::stable_partition(axes.begin(), axes.end(),
                        [](const TunedAxis& axis) { return axis.name.starts_with(kKernelAxis); });
  return axes;
}

Trial SearchTrial(const Trial& of, const Candidate& candidate) {
  Trial trial = of;
  trial.candidates = {};
  trial.validation = {};
  trial.parameters = candidate.parameters;
  trial.kernel = candidate.kernel;
  trial.grid_point += (of.grid_point.empty() ? "" : ",") + candidate.text;
  trial.measures.clear();
  trial.reaction = 0;
  trial.trace =
      TraceSpec{.record_all_until = 0, .per_decade = 1, .from_end = {}, .checkpoints = 1, .rounds = {}};
  return trial;
}

Trial PrefixTrial(const Trial& of, const Candidate& candidate) {
  Trial trial = SearchTrial(of, candidate);
  trial.prefix = true;
  trial.examples = trial.training = of.PrefixLength();
  DataSpec& data = trial.data.Edit();
  data.stream.epochs = 1;
  data.stream.limit = trial.examples;
  data.test_part.clear();
  trial.test_plan = {};
  return trial;
}

namespace {

// All combinations; or by coordinates every value of every axis once, and two neighbours at the end.
std::size_t SearchRuns(const Trial& trial) {
  if (trial.info->protocol != Protocol::kStream) return 0;
  const std::size_t all = trial.candidates->size();
  if (trial.validation.search == Search::kGrid || all == 0) return all;
  std::size_t runs = 1;
  const std::vector<TunedAxis> axes = TunedAxes(*trial.candidates);
  for (const TunedAxis& axis : axes) runs += axis.values.size() - 1;
  return axes.size() > 1 ? std::min(runs + 2, all) : runs;
}

}  // namespace

Cost CostOf(const Trial& trial, const Workload& workload) {
  Cost cost = trial.info->cost_model(trial.parameters, workload);
  if (const std::size_t learners = trial.hedged->size(); learners > 0) {
    const auto factor = static_cast<double>(learners);
    cost.requested *= learners;
    cost.computed *= factor;
    cost.multiply_adds *= factor;
    cost.streamed_bytes *= factor;
    cost.vectors *= factor;
    cost.bytes *= learners;
  }
  const std::size_t runs = SearchRuns(trial);
  if (runs == 0) return cost;
  Workload prefix = workload;
  prefix.examples = trial.PrefixLength();
  const Cost search = trial.info->cost_model(trial.parameters, prefix);
  const auto factor = static_cast<double>(runs);
  cost.requested += runs * search.requested;
  cost.computed += factor * search.computed;
  cost.multiply_adds += factor * search.multiply_adds;
  cost.streamed_bytes += factor * search.streamed_bytes;
  return cost;
}

}  // namespace okbench
