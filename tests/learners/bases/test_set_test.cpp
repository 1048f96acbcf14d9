// Errors of models on test sets: the error of what `predict` returns, by hand.

#include "learners/bases/test_set.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "learners/api/registry.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

TEST_CASE("a binary score above 0 predicts +1 and NaN is wrong") {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto wrong = [](double f, std::int32_t y) { return PredictsWrong(std::vector<double>{f}, y); };
  CHECK_FALSE(wrong(0.5, 1));
  CHECK(wrong(0.5, -1));
  CHECK(wrong(0, 1));
  CHECK_FALSE(wrong(0, -1));
  CHECK_FALSE(wrong(-0.5, -1));
  CHECK(wrong(-0.5, 1));
  CHECK((wrong(kNan, 1) && wrong(kNan, -1)));
}

TEST_CASE("of several scores the first largest one predicts") {
  const auto wrong = [](std::vector<double> f, std::int32_t y) { return PredictsWrong(f, y); };
  CHECK_FALSE(wrong({1, 3, 2}, 1));
  CHECK_FALSE(wrong({3, 3, 2}, 0));
  CHECK(wrong({3, 3, 2}, 1));
}

TEST_CASE("an untrained learner predicts -1") {
  const std::vector<float> values = {1, 2, -1, -2};
  const auto rows = Examples<float>::Dense(1, values, {1, 1, 1, -1}, LabelKind::kBinary, 2);
  std::size_t learners = 0;
  for (const LearnerInfo& info : Learners()) {
    if (std::ranges::count(info.labels, LabelKind::kBinary) == 0 || !info.library.empty()) continue;
    INFO(info.name);
    Kernel kernel;
    kernel.kind = info.linear ? KernelKind::kLinear : KernelKind::kRbf;
    const LearnerContext<float> context{
        .train = &rows, .test = &rows, .kernel = kernel, .batch = 2, .steps = rows.size()};
    const auto learner = info.Make(ParameterValues::Resolve(info.parameters, {}), context);
    const TestOutcome outcome = learner->Test();
    CHECK(outcome.examples == 4);
    CHECK(outcome.mistakes == 3);
    ++learners;
  }
  CHECK(learners > 20);
}

}  // namespace
}  // namespace okbench
