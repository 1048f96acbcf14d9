// Trials of a plan: their ids follow from their settings alone, and shared settings change for one trial
// only.

#include "harness/plan/plan.h"

#include "harness/plan/canonical.h"
#include "harness/plan/copy_on_write.h"
#include "tests/catch.h"
#include "tests/datasets/known.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

TEST_CASE("the id of every repetition is the hash of its canonical JSON") {
  const testing::TemporaryFolder folder;
  const std::string spec = folder.Write("spec.toml", R"(format = 2
experiment = "test/ids"
title = "ids"
repetitions = 12
[data]
name = "usps"
positive = [1]
order = "permutation"
max_examples = 100
[kernel]
name = "rbf"
sigma = 1
[learners.plain]
learner = "perceptron"
[learners.grid]
learner = "norma"
[learners.grid.grid]
nu = [0.1, 0.2]
[learners.tuned]
learner = "norma"
[learners.tuned.tune]
nu = [0.1, 0.2]
)");
  const std::vector<Trial> plan =
      MakePlan(ReadSpec(spec, "quick", {}, testing::Known()), testing::Known(), {"/nonexistent", ""});
  CHECK(plan.size() == 12 * (1 + 2 + 1));
  for (const Trial& trial : plan) CHECK(trial.id == TrialId(TrialIdentity(trial)));
  // A trial whose search has chosen keeps its id.
  Trial chosen = plan.back();
  chosen.parameters = chosen.candidates->back().parameters;
  chosen.kernel = Kernel::Linear();
  CHECK(TrialId(TrialIdentity(chosen)) == chosen.id);
}

TEST_CASE("an edit of a copy does not change the original") {
  CopyOnWrite<std::string> original(std::string("a"));
  CopyOnWrite<std::string> copy = original;
  CHECK(&*copy == &*original);
  copy.Edit() += "b";
  CHECK(*original == "a");
  CHECK(*copy == "ab");
  // The only owner edits in place.
  const std::string* before = &*copy;
  copy.Edit() += "c";
  CHECK(&*copy == before);
}

}  // namespace
}  // namespace okbench
