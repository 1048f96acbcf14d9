// Label trees of the catalog, and the spec keys for trees and documents.

#include "harness/spec/label_trees.h"

#include "base/error.h"
#include "harness/plan/canonical.h"
#include "harness/plan/plan.h"
#include "tests/catch.h"
#include "tests/datasets/known.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using Catch::Contains;
using testing::Known;
using Shape = LabelTree::Shape;

TEST_CASE("label trees of the catalog's data sets") {
  const Catalog catalog = Known();
  const auto check = [&](const char* name, Shape shape, std::size_t nodes, std::size_t depth) {
    const LabelTree tree = MakeLabelTree(catalog.Find(name), shape);
    CHECK((tree.nodes() == nodes && tree.depth() == depth));
    CHECK(tree.classes() == catalog.Find(name).labels.size());
  };
  check("20newsgroups", Shape::kTwoLevels, 1 + 7 + 20, 2);
  check("20newsgroups", Shape::kCollapsed, 28, 3);
  check("20newsgroups", Shape::kFull, 39, 5);
  check("imageclef07", Shape::kFull, 1 + 8 + 25 + 63, 3);
  // comp.graphics is closer to comp.windows.x than to misc.forsale.
  const LabelTree tree = MakeLabelTree(catalog.Find("20newsgroups"), Shape::kTwoLevels);
  CHECK((tree.Delta(1, 5) == 1 && tree.Delta(1, 6) == 2));
  CHECK_THROWS_WITH(MakeLabelTree(catalog.Find("usps"), Shape::kFull),
                    Contains("data set 'usps' has no tree of its classes"));
}

TEST_CASE("trees given by edges keep their full shape, and errors name the data set") {
  DataSet set;
  set.name = "toy";
  set.class_names = {"x", "y"};
  set.tree = ClassTree{.separator = '\0', .edges = {{"r", "x"}, {"r", "y"}}};
  CHECK(MakeLabelTree(set, Shape::kFull).nodes() == 3);
  CHECK_THROWS_WITH(MakeLabelTree(set, Shape::kTwoLevels),
                    Contains("data set 'toy' defines its tree by edges; only the shape 'full' is possible"));
  set.tree->edges.emplace_back("s", "x");
  CHECK_THROWS_WITH(MakeLabelTree(set, Shape::kFull),
                    Contains("data set 'toy': label tree: 'x' has two parents"));
  set.tree = ClassTree{.separator = '.', .edges = {}};
  set.class_names = {"x", "x.y"};
  CHECK_THROWS_AS(MakeLabelTree(set, Shape::kFull), DataError);
}

TEST_CASE("label graphs take class names, or labels if the set has none, and errors name the data set") {
  DataSet set;
  set.name = "toy";
  set.labels = {"1", "2"};
  CHECK(MakeLabelGraph(set, {"1 2 3"}).DeltaTable()[1] == 3);
  CHECK_THROWS_WITH(MakeLabelGraph(set, {"1 x 3"}), Contains("data set 'toy': class '2' has no path"));
  set.class_names = {"x", "y"};
  CHECK(MakeLabelGraph(set, {"x y 2"}).DeltaTable()[1] == 2);
  set.kind = LabelKind::kBinary;
  CHECK_THROWS_WITH(MakeLabelGraph(set, {"x y 2"}), Contains("'toy' has no multiclass labels"));
}

TEST_CASE("different label trees have different digests") {
  const Catalog catalog = Known();
  const auto digest = [&](Shape shape) {
    return TreeDigest(MakeLabelTree(catalog.Find("20newsgroups"), shape));
  };
  CHECK(digest(Shape::kFull) == digest(Shape::kFull));
  CHECK(digest(Shape::kFull) != digest(Shape::kCollapsed));
  CHECK(digest(Shape::kTwoLevels) != digest(Shape::kCollapsed));
}

const char* const kTreeSpec = R"(format = 2
experiment = "test/trees"
[data]
name = "20newsgroups"
text = "body"
synthetic = true
synthetic_rows = 60
[kernel]
name = "linear"
[learners.a]
learner = "norma"
loss = "multiclass-hinge"
)";

Trial First(const std::vector<std::string>& overrides) {
  const testing::TemporaryFolder folder;
  static const Catalog catalog = Known();
  const Spec spec = ReadSpec(folder.Write("s.toml", kTreeSpec), "default", overrides, catalog);
  return MakePlan(spec, catalog, {.cache = "/nonexistent", .mirror = ""})[0];
}

TEST_CASE("data.tree: no tree by default, and part of the trial id only if set") {
  const Trial none = First({});
  CHECK(none.tree == nullptr);
  CHECK(!TrialIdentity(none)["data"].contains("tree"));
  CHECK(!TrialIdentity(none)["data"].contains("tree_digest"));
  const Trial full = First({"data.tree=full"}), two = First({"data.tree=two-levels"});
  CHECK(full.tree->nodes() == 39);
  CHECK(two.tree->nodes() == 28);
  CHECK(TrialIdentity(full)["data"]["tree"] == "full");
  CHECK((full.id != none.id && two.id != none.id && full.id != two.id));
}

TEST_CASE("keys for trees and documents are rejected for data sets without them") {
  const auto refuse = [](const std::vector<std::string>& overrides, const std::string& message) {
    CHECK_THROWS_WITH(First(overrides), Contains(message));
  };
  refuse({"data.tree=flat"}, "data.tree: is 'flat', but must be one of two-levels, collapsed, full");
  refuse({"data.tree=full", "data.positive=[1]"}, "data.tree: cannot be combined with data.positive");
  refuse({"data.text=subject"}, "must be one of headers, subject-body, body, stripped");
  refuse({"data.term_weights=idf"}, "must be one of counts, tf-idf");
  refuse({"data.scale=[0, 1]"},
         "data.scale: cannot be used with documents: the values of 20newsgroups have no range");
  refuse({"data.name=usps"}, "data.text: is only for data sets of documents, which usps is not");
}

TEST_CASE("documents: data.text is required, data.term_weights defaults to counts") {
  const Trial trial = First({});
  CHECK(trial.data->train.text == TextExtent::kBody);
  CHECK(TrialIdentity(trial)["data"]["term_weights"] == "counts");
  CHECK(First({"data.term_weights=tf-idf"}).id != trial.id);
  CHECK(First({"data.text=stripped"}).id != trial.id);
  CHECK(trial.workload.entries == 200);
  CHECK(trial.workload.row_bytes == 60000 * sizeof(float));
  const testing::TemporaryFolder folder;
  const Catalog catalog = Known();
  const auto read = [&](const std::string& data) {
    std::string text = kTreeSpec;
    const std::string old = "name = \"20newsgroups\"\ntext = \"body\"\n";
    text.replace(text.find(old), old.size(), data);
    return ReadSpec(folder.Write("s.toml", text), "default", {}, catalog);
  };
  CHECK_THROWS_WITH(read("name = \"20newsgroups\"\n"),
                    Contains("s.toml:") && Contains("data.text: is missing; 20newsgroups has documents"));
  CHECK_THROWS_WITH(read("name = \"usps\"\nterm_weights = \"counts\"\n"),
                    Contains("data.term_weights: is only for data sets of documents"));
  CHECK_THROWS_WITH(read("name = \"usps\"\ntree = \"full\"\n"),
                    Contains("s.toml:5: data.tree: cannot be built: data set 'usps' has no tree"));
  CHECK(!read("name = \"imageclef07\"\n").data.train.text);
}

}  // namespace
}  // namespace okbench
