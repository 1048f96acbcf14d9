#include "learners/api/registry.h"

#include <algorithm>

#include "base/error.h"
#include "tests/catch.h"

namespace okbench {
namespace {

// The perceptron under another name, as a plugin would register it.
LearnerInfo Added(const std::string& name) {
  LearnerInfo info = FindLearner("perceptron");
  info.name = name;
  info.code = {.kind = "plugin", .name = "libit.so", .sha256 = "0"};
  return info;
}

}  // namespace

TEST_CASE("learners of a plugin are added to the registry in sorted order, and removed") {
  const std::size_t before = Learners().size();
  const LearnerInfo* const norma = &FindLearner("norma");
  AddLearner(Added("m"));
  CHECK(FindLearner("m").code.name == "libit.so");
  CHECK(Learners().size() == before + 1);
  CHECK(std::is_sorted(Learners().begin(), Learners().end(),
                       [](const auto& a, const auto& b) { return a.name < b.name; }));
  CHECK(&FindLearner("norma") == norma);
  CHECK_THROWS_WITH(AddLearner(Added("m")), Catch::Contains("learner 'm' already exists, in libit.so;"));
  RemoveLearner("m");
  CHECK(Learners().size() == before);
  CHECK_THROWS_AS(FindLearner("m"), InvalidArgument);
}

TEST_CASE("built-in learners cannot be replaced or removed") {
  CHECK_THROWS_WITH(AddLearner(Added("norma")),
                    Catch::Contains("learner 'norma' already exists, in the program;"));
  CHECK_THROWS_WITH(RemoveLearner("norma"), "learner 'norma' was not added at run time");
  LearnerInfo nowhere = Added("m");
  nowhere.code = {};
  CHECK_THROWS_WITH(AddLearner(nowhere), Catch::Contains("needs code.kind"));
  CHECK(FindLearner("norma").code.kind.empty());
}

}  // namespace okbench
