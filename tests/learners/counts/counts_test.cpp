// The counters of learners are exact: a plain replay of the method needs as many kernel values, after every
// step or round.

#include "tests/learners/counts/replay.h"

namespace okbench {

std::map<std::string, void (*)()>& testing::Replays() {
  static std::map<std::string, void (*)()> replays;
  return replays;
}

namespace {

TEST_CASE("a learner counts what a plain replay of it asks for") {
  for (const auto& [name, replay] : testing::Replays()) DYNAMIC_SECTION(name) { replay(); }
}

}  // namespace
}  // namespace okbench
