#include "harness/cost/plan_cost.h"

#include "tests/catch.h"

namespace okbench {
namespace {

Trial TrialOf(const std::string& id, const std::vector<std::string>& needs) {
  Trial trial;
  trial.id = id;
  if (!needs.empty()) trial.candidates.Edit().emplace_back().ids = needs;
  return trial;
}

TrialCost CostOf(const Trial& trial, double seconds, std::uint64_t bytes, bool done) {
  TrialCost cost;
  cost.trial = &trial;
  cost.estimate.seconds = seconds;
  cost.estimate.bytes = bytes;
  cost.done = done;
  return cost;
}

TEST_CASE("plan cost: totals and the longest dependency chain") {
  // Two folds before one trial, and a longer trial without dependencies.
  Trial folds[] = {TrialOf("f0", {}), TrialOf("f1", {})};
  for (Trial& fold : folds) fold.data.Edit().train.fold = Fold{.folds = 2};
  const Trial tuned = TrialOf("t", {"f0", "f1"}), alone = TrialOf("a", {});
  std::vector<TrialCost> costs = {CostOf(folds[0], 3, 0, true), CostOf(folds[1], 5, 0, false),
                                  CostOf(tuned, 4, 10, false), CostOf(alone, 8, 20, false)};
  CHECK(CriticalSeconds(costs) == 5 + 4);
  costs[3].data = {{.key = "set", .bytes = 7}};
  const CostTotals totals = TotalsOf(costs);
  CHECK(totals.trials == 4);
  CHECK(totals.folds == 2);
  CHECK(totals.done == 1);
  CHECK(totals.seconds == 20);
  CHECK(totals.left_seconds == 17);
  REQUIRE(totals.longest != nullptr);
  CHECK(totals.longest->trial->id == "a");
  CHECK(totals.bytes == kProcessBytes + 20 + 7);
}

TEST_CASE("plan cost: an empty plan has no longest chain") {
  CHECK(CriticalSeconds({}) == 0);
  CHECK(CostTotals().longest == nullptr);
}

}  // namespace
}  // namespace okbench
