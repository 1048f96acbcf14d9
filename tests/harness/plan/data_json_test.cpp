// The data of a trial in its id: a field changes the id exactly if its identity list says so.

#include "harness/plan/data_json.h"

#include <catch2/catch.hpp>

#include "tests/fields.h"

namespace okbench {
namespace {

using testing::ForEachChange;

TEST_CASE("a data field changes the trial id exactly if its identity list says so") {
  Trial trial;
  const auto check = [&](auto& object, bool in_use = true) {
    const nlohmann::json before = DataJson(trial);
    ForEachChange(object, [&]<class Told>(Told how) {
      INFO(how.name);
      const bool tells = std::same_as<Told, identity::Always> || std::same_as<Told, identity::WhenSet>;
      CHECK((DataJson(trial) != before) == (in_use && tells));
    });
    CHECK(DataJson(trial) == before);
  };
  trial.data.train.name = "usps";
  check(trial.data);
  check(trial.train_plan);
  check(trial.test_plan, false);
  trial.data.test_part = "test";
  trial.data.train.scale = Range{.low = -1, .high = 1};
  trial.data.train.fold = Fold{.folds = 5, .fold = 1};
  check(trial.data);
  check(*trial.data.train.scale);
  check(*trial.data.train.fold);
  check(trial.test_plan);
}

TEST_CASE("the trial id omits unset data fields") {
  Trial trial;
  trial.data.train.name = "usps";
  trial.train_plan.digest = "d";
  CHECK(DataJson(trial) == nlohmann::json::parse(R"({"name": "usps", "part": "train", "digest": "d",
      "positive": [], "unit_norm": false, "order": "file", "epochs": 1, "limit": 0})"));
  trial.batch = 10;
  trial.data.test_part = "test";
  trial.test_plan.digest = "e";
  trial.data.train.scale = Range{.low = -1, .high = 1};
  trial.data.train.fold = Fold{.folds = 5, .fold = 2};
  CHECK(DataJson(trial) == nlohmann::json::parse(R"({"name": "usps", "part": "train", "digest": "d",
      "positive": [], "unit_norm": false, "order": "file", "epochs": 1, "limit": 0, "batch": 10,
      "fold": {"folds": 5, "fold": 2}, "scale": [-1.0, 1.0], "test": "test", "test_digest": "e"})"));
  trial = Trial();
  trial.data.train.name = "20newsgroups";
  trial.train_plan.digest = "d";
  trial.data.train.text = TextExtent::kStripped;
  trial.data.train.term_weights = TermWeights::kTfIdf;
  trial.data.tree = LabelTree::Shape::kTwoLevels;
  trial.tree = std::make_shared<const LabelTree>(LabelTree::Flat(2));
  nlohmann::json data = DataJson(trial);
  CHECK(data["tree_digest"].get<std::string>().starts_with("sha256:"));
  data.erase("tree_digest");
  CHECK(data == nlohmann::json::parse(R"({"name": "20newsgroups", "part": "train", "digest": "d",
      "positive": [], "unit_norm": false, "order": "file", "epochs": 1, "limit": 0, "text": "stripped",
      "term_weights": "tf-idf", "tree": "two-levels"})"));
  trial = Trial();
  trial.data.train.name = "usps";
  trial.train_plan.digest = "d";
  trial.data.graph = {"0 1 0.5"};
  CHECK(DataJson(trial)["graph"] == nlohmann::json::parse(R"(["0 1 0.5"])"));
}

}  // namespace
}  // namespace okbench
