#include "harness/trial/learning_clock.h"

#include "base/error.h"
#include "tests/catch.h"

namespace okbench {
namespace {

TEST_CASE("the limit of a trial's seconds includes those of its search") {
  const auto checked = [](double search) {
    LearningClock({.timeout_seconds = 1000, .search_seconds = search}, 5).ThrowIfStopped(3);
  };
  CHECK_NOTHROW(checked(0));
  CHECK_THROWS_AS(checked(1000), TrialFailure);
}

}  // namespace
}  // namespace okbench
