// The counters of every learner are exact: after every step or round, a plain replay of the method requests
// equally many kernel values. A learner without a replay fails the test.

#include "tests/learners/counts/replay.h"

namespace okbench {

std::map<std::string, void (*)()>& testing::Replays() {
  static std::map<std::string, void (*)()> replays;
  return replays;
}

namespace {

TEST_CASE("every learner counts the kernel values that a plain replay requests") {
  for (const LearnerInfo& info : Learners()) DYNAMIC_SECTION(info.name) {
      if (info.name == "box-order") continue;  // learns nothing and requests nothing
      const auto replay = testing::Replays().find(info.name);
      INFO("a method needs a replay in tests/learners/counts/");
      REQUIRE(replay != testing::Replays().end());
      replay->second();
    }
}

TEST_CASE("every replay belongs to a registered learner") {
  for (const auto& [name, replay] : testing::Replays()) CHECK_NOTHROW(FindLearner(name));
}

}  // namespace
}  // namespace okbench
