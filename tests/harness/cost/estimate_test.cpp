// Cost estimates of a plan: cost of learners by hand, and times from given rates.

#include "harness/cost/estimate.h"

#include "learners/api/registry.h"
#include "tests/catch.h"

namespace okbench {
namespace {

ParameterValues Values(const LearnerInfo& info, const std::map<std::string, ParameterValue>& given) {
  return ParameterValues::Resolve(info.parameters, given);
}

TEST_CASE("estimated rows of a growing support set, by hand") {
  // One term per step without a bound: 0 + 1 + ... + 9 is about 10^2 / 2.
  CHECK(GrowingRows(10, 1, 100) == 50);
  // Half of the steps insert, at most four terms: full after eight steps, then two steps over four terms.
  CHECK(GrowingRows(10, 0.5, 4) == 16 + 8);
}

TEST_CASE("the time of a kernel value has its addition to a score") {
  const Rates rates{.kernel_value = 2, .incremental_value = 3, .scored_value = 0.5};
  CHECK(rates.ValueOf({.incremental_scores = false}) == 2.5);
  CHECK(rates.ValueOf({.incremental_scores = true}) == 3);
}

TEST_CASE("estimated cost of a buffered learner, by hand") {
  const LearnerInfo& info = FindLearner("norma");
  const Workload work{.examples = 10, .training = 10, .outputs = 3, .row_bytes = 40};
  const Cost cost = info.cost_model(
      Values(info, {{"buffer", std::int64_t{4}}, {"loss", std::string("multiclass-hinge")}}), work);
  CHECK(cost.requested == 0 + 1 + 2 + 3 + 6 * 4 + 10);
  CHECK(cost.vectors == 4);
  CHECK(cost.computed <= static_cast<double>(cost.requested) + 1);
  // Four rows, 48 look-ahead values of 4 bytes each, coefficients of two functions per class.
  CHECK(cost.bytes == 4 * (40 + 48 * 4 + 8 * 8));
}

TEST_CASE("estimated cost of SampledCuts, by hand, stops at the rounds that runs need") {
  const LearnerInfo& info = FindLearner("sampled-cuts");
  const auto cost = [&](std::uint64_t rounds) {
    return info.cost_model(Values(info, {}), {.examples = 10 * rounds, .training = 1000, .batch = 10});
  };
  // 20 rounds of 10 rows over 1000 examples; each sums ten planes on average.
  CHECK(cost(20).computed == Approx(0.9 * 200 * 1000));
  CHECK(cost(20).streamed_bytes == 20 * 10 * 8 * 1000);
  CHECK(cost(20).vectors == 200);
  CHECK(cost(100'000).computed == cost(500).computed);
  CHECK(cost(100'000).streamed_bytes == 500 * 150 * 8 * 1000);
  CHECK(cost(100'000).requested == cost(500).requested);
}

bool IsBaseline(const LearnerInfo& info) { return info.title.starts_with("Baseline: "); }

TEST_CASE("estimated cost of every learner grows with its workload") {
  for (const LearnerInfo& info : Learners()) {
    const ParameterValues values = Values(info, {});
    const Workload small{.examples = 200, .training = 100, .batch = 10, .row_bytes = 100};
    Workload large = small;
    large.examples = 2000;
    large.training = 1000;
    const Cost a = info.cost_model(values, small), b = info.cost_model(values, large);
    CAPTURE(info.name);
    CHECK(a.requested <= b.requested);
    if (IsBaseline(info) && info.parameters.empty()) {  // ignores the rows
      CHECK(b.computed + b.multiply_adds + static_cast<double>(b.bytes) == 0);
      continue;
    }
    CHECK(a.computed + a.multiply_adds > 0);
    CHECK(a.computed + a.multiply_adds < b.computed + b.multiply_adds);
    CHECK(a.bytes > 0);
    CHECK(a.bytes <= b.bytes);
    CHECK(a.vectors <= 200);
  }
}

TEST_CASE("an estimate adds learning and evaluation at the given rates") {
  Trial trial;
  trial.info = &FindLearner("norma");
  trial.parameters = Values(*trial.info, {{"buffer", std::int64_t{10}}, {"loss", std::string("hinge")}});
  trial.workload = {.examples = 1000, .training = 1000, .row_bytes = 400};
  trial.trace.Edit().checkpoints = 2;
  const Rates rates{
      .kernel_value = 1e-6, .incremental_value = 7, .scored_value = 0, .multiply_add = 0, .streamed_byte = 0};
  const TrialEstimate alone = Estimate(trial, trial.workload, rates);
  CHECK(alone.evaluation == 0);
  trial.data.Edit().test_part = "test";
  trial.test_plan.Edit().rows = 50;
  const TrialEstimate measured = Estimate(trial, trial.workload, rates);
  // At both checkpoints the buffer is full.
  CHECK(measured.evaluation == 2 * 50 * 10);
  CHECK(measured.computed == alone.computed);
  CHECK(measured.seconds - alone.seconds == Approx(1000 * 1e-6));
  CHECK(measured.bytes > alone.bytes);
}

TEST_CASE("durations and sizes are formatted for reading") {
  CHECK(TimeText(0.04) == "40 ms");
  CHECK(TimeText(9.96) == "10 s");
  CHECK(TimeText(150) == "2.5 min");
  CHECK(TimeText(3.1 * 3600) == "3.1 h");
  CHECK(BytesText(512 * 1024) == "512 KiB");
  CHECK(BytesText(1.5 * 1024 * 1024 * 1024) == "1.5 GiB");
}

}  // namespace
}  // namespace okbench
