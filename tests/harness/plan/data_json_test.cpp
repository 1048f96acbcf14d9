// The data of a trial in its id: a field changes the id exactly if its identity list says so.

#include "harness/plan/data_json.h"

#include "tests/catch.h"
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
  trial.data.Edit().train.name = "usps";
  check(trial.data.Edit());
  check(trial.train_plan.Edit());
  check(trial.test_plan.Edit(), false);
  trial.data.Edit().test_part = "test";
  trial.data.Edit().train.scale = Range{.low = -1, .high = 1};
  trial.data.Edit().train.fold = Fold{.folds = 5, .fold = 1};
  check(trial.data.Edit());
  check(*trial.data.Edit().train.scale);
  check(*trial.data.Edit().train.fold);
  check(trial.test_plan.Edit());
}

TEST_CASE("the trial id omits unset data fields") {
  Trial trial;
  trial.data.Edit().train.name = "usps";
  trial.train_plan.Edit().digest = "d";
  CHECK(DataJson(trial) == nlohmann::json::parse(R"({"name": "usps", "part": "train", "digest": "d",
      "positive": [], "unit_norm": false, "order": "file", "epochs": 1, "limit": 0})"));
  trial.batch = 10;
  trial.data.Edit().test_part = "test";
  trial.test_plan.Edit().digest = "e";
  trial.data.Edit().train.scale = Range{.low = -1, .high = 1};
  trial.data.Edit().train.fold = Fold{.folds = 5, .fold = 2};
  CHECK(DataJson(trial) == nlohmann::json::parse(R"({"name": "usps", "part": "train", "digest": "d",
      "positive": [], "unit_norm": false, "order": "file", "epochs": 1, "limit": 0, "batch": 10,
      "fold": {"folds": 5, "fold": 2}, "scale": [-1.0, 1.0], "test": "test", "test_digest": "e"})"));
  trial = Trial();
  trial.data.Edit().train.name = "20newsgroups";
  trial.train_plan.Edit().digest = "d";
  trial.data.Edit().train.text = TextExtent::kStripped;
  trial.data.Edit().train.term_weights = TermWeights::kTfIdf;
  trial.data.Edit().tree = LabelTree::Shape::kTwoLevels;
  trial.tree = std::make_shared<const LabelTree>(LabelTree::Flat(2));
  nlohmann::json data = DataJson(trial);
  CHECK(data["tree_digest"].get<std::string>().starts_with("sha256:"));
  data.erase("tree_digest");
  CHECK(data == nlohmann::json::parse(R"({"name": "20newsgroups", "part": "train", "digest": "d",
      "positive": [], "unit_norm": false, "order": "file", "epochs": 1, "limit": 0, "text": "stripped",
      "term_weights": "tf-idf", "tree": "two-levels"})"));
  trial = Trial();
  trial.data.Edit().train.name = "usps";
  trial.train_plan.Edit().digest = "d";
  trial.data.Edit().graph = {"0 1 0.5"};
  CHECK(DataJson(trial)["graph"] == nlohmann::json::parse(R"(["0 1 0.5"])"));
}

}  // namespace
}  // namespace okbench
