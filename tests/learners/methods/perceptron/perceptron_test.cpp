// Perceptron on a budget: a removal by hand.

#include "learners/methods/perceptron/perceptron.h"

#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench::perceptron {
namespace {

using perceptron::PerceptronUpdate;

TEST_CASE("perceptron with a fixed cache of two: removes the largest margin without itself, by hand") {
  // Linear, one dimension, beta = 10: every example is inserted. x = 1, 3, 2, all +1. After two examples, w =
  // 4. Margins without the example's own term: y_1 (4 - 1) = 3 for x = 1 and 4*3 - 9 = 3 for x = 3. Ties go
  // to the lowest slot, so x = 1 is removed. Then w = 3 + 2 = 5.
  const auto data = Examples<double>::Dense(1, {1, 3, 2}, {1, 1, 1}, LabelKind::kBinary, 2);
  BudgetLearner<double, PerceptronUpdate, FixedCache> learner(
      {}, FixedCache{2}, {.beta = 10},
      LearnerContext<double>{.train = &data, .kernel = Kernel::Linear(), .lookahead = 16});
  for (const std::uint32_t i : {0U, 1U, 2U}) CHECK(learner.Step(i).margin_error);
  CHECK(learner.support_vectors() == 2);
  CHECK(learner.cache().example(0) == 2);  // in the freed slot
  CHECK(learner.cache().example(1) == 1);
  CHECK(learner.cache().score(0, 0) == 10);
  CHECK(learner.cache().score(1, 0) == 15);
  // Example 1: 0 + k(x,x). Example 2: 1 + k(x,x). Example 3: 2 + a removal row of 2 + k(x,x).
  CHECK(learner.counts().requested == 1 + 2 + 5);
}

}  // namespace
}  // namespace okbench::perceptron
