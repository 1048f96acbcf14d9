// The counters of every learner are exact: a plain replay of the method needs as many kernel values, after
// every step or round. A learner without a replay fails.

#include "tests/learners/counts/replay.h"

namespace okbench {

std::map<std::string, void (*)()>& testing::Replays() {
  static std::map<std::string, void (*)()> replays;
  return replays;
}

namespace {

TEST_CASE("every learner counts what a plain replay of it asks for") {
  for (const LearnerInfo& info : Learners()) DYNAMIC_SECTION(info.name) {
      if (info.name == "box-order") continue;  // learns nothing, asks for nothing
      const auto replay = testing::Replays().find(info.name);
      INFO("a method needs a replay in tests/learners/counts/");
      REQUIRE(replay != testing::Replays().end());
      replay->second();
    }
}

TEST_CASE("no replay is of a learner that there is not") {
  for (const auto& [name, replay] : testing::Replays()) CHECK_NOTHROW(FindLearner(name));
}

}  // namespace
}  // namespace okbench
