// BCFW: one step by hand. tests/learners/methods/svm_struct compares whole runs.

#include "learners/methods/bcfw/bcfw.h"

#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench::bcfw {
namespace {

TEST_CASE("BCFW: one step by hand") {
  // One example x = 1 of class 0 of two, linear kernel, lambda = 2: C = 1/2. The oracle gives class 1, g = 1,
  // d = C (e_1 - e_0): along 1/2, curvature C^2 2 = 1/2: gamma = 1, tau = (1/2, -1/2). ||f||^2 = 1/2 and f(0)
  // - f(1) = 1: loss 0, primal/lambda 1/4, dual 1/2 - 1/4: the gap is 0.
  const auto data = Examples<double>::Dense(1, {1}, {0}, LabelKind::kMulticlass, 2);
  bcfw::Bcfw<double> learner({{{}, 2.0}},
                             LearnerContext<double>{.train = &data, .kernel = Kernel::Linear(), .seed = 3});
  const RoundOutcome outcome = learner.Round({});
  CHECK((outcome.converged && outcome.mean_loss == 1 && outcome.examples == 1));
  CHECK(learner.coefficient(0, 0) == 0.5);
  CHECK(learner.coefficient(1, 0) == -0.5);
  CHECK(learner.primal() == 0.5);
  CHECK(learner.dual() == 0.5);
  // Requested: no support, k(x, x), and the gap over one support vector. Computed: a row of one value.
  CHECK(learner.counts().requested == 0 + 1 + 1);
  CHECK(learner.counts().computed == 1);
  CHECK(learner.oracle_calls() == 2);
}

}  // namespace
}  // namespace okbench::bcfw
