// Label trees: cases by hand, sums against brute force on random trees, and rejected input.

#include "learners/outputs/label_tree.h"

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "learners/core/random.h"
#include "learners/outputs/label_distance.h"
#include "tests/catch.h"
#include "tests/learners/outputs/random_tree.h"

namespace okbench {
namespace {

using Shape = LabelTree::Shape;
using Edges = std::vector<std::pair<std::string, std::string>>;
using Names = std::vector<std::string>;

const Names kGroups = {"alt.atheism",  "comp.graphics", "comp.sys.mac", "comp.sys.ibm.pc",
                       "misc.forsale", "rec.autos",     "rec.sport.x",  "rec.sport.y"};

TEST_CASE("label tree of two levels by hand") {
  const LabelTree tree = LabelTree::FromNames(kGroups, '.', Shape::kTwoLevels);
  CHECK(tree.nodes() == 1 + 4 + 8);
  CHECK(tree.depth() == 2);
  // Root, group and leaf: a leaf shares three nodes with itself, and two (group and root) with a sibling.
  CHECK(tree.Kappa(1, 1) == 3);
  CHECK(tree.Kappa(1, 2) == 2);
  CHECK(tree.Kappa(1, 5) == 1);
  CHECK(tree.Delta(1, 1) == 0);
  CHECK(tree.Delta(1, 2) == 1);
  CHECK(tree.Delta(1, 5) == 2);
  CHECK(tree.Delta(0, 4) == 2);
  CHECK(tree.LargestDelta() == 2);
}

TEST_CASE("collapsed and full label trees by hand") {
  const LabelTree collapsed = LabelTree::FromNames(kGroups, '.', Shape::kCollapsed);
  // alt.atheism and misc.forsale are children of the root. comp and rec have five nodes each, one is ibm.pc.
  CHECK(collapsed.nodes() == 1 + 1 + 5 + 1 + 5);
  CHECK(collapsed.Delta(0, 4) == 1);
  CHECK(collapsed.Delta(2, 3) == 1);
  CHECK(collapsed.Delta(1, 2) == 1.5);
  CHECK(collapsed.Delta(3, 7) == 3);
  CHECK(collapsed.depth() == 3);
  const LabelTree full = LabelTree::FromNames(kGroups, '.', Shape::kFull);
  CHECK(full.Delta(0, 4) == 2);
  CHECK(full.Delta(2, 3) == 1.5);
  CHECK(full.Delta(3, 7) == 3.5);
  CHECK(full.depth() == 4);
}

TEST_CASE("a label tree with all classes directly under the root has the flat loss") {
  const LabelTree flat = LabelTree::Flat(3);
  for (std::size_t y = 0; y < 3; ++y)
    for (std::size_t other = 0; other < 3; ++other) {
      CHECK(flat.Delta(y, other) == (y == other ? 0 : 1));
      CHECK(flat.Kappa(y, other) == (y == other ? 2 : 1));
      CHECK(LabelTree::Identity(3).Kappa(y, other) == (y == other ? 1 : 0));
    }
}

TEST_CASE("sums over a label tree equal sums over pairs of classes") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const LabelTree tree = testing::RandomTree(2 + random.Below(40), random);
    const std::size_t n = tree.classes();
    std::vector<double> g(n), totals(tree.nodes(), 0.0), sums(n);
    for (std::size_t y = 0; y < n; ++y) totals[tree.leaf(y)] = g[y] = random.Normal();
    tree.SumUp(totals);
    for (std::size_t y = 0; y < n; ++y) {
      double direct = 0;
      for (std::size_t other = 0; other < n; ++other) direct += tree.Kappa(y, other) * g[other];
      sums[y] = direct;
      REQUIRE(tree.PathSum(totals, y) == Approx(direct).margin(1e-10));
    }
    std::vector<double> swept(n);
    tree.SumDown(totals, swept);
    for (std::size_t y = 0; y < n; ++y) REQUIRE(swept[y] == Approx(sums[y]).margin(1e-10));
  }
}

TEST_CASE("a step between two classes has twice their distance: the root cancels") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const LabelTree tree = testing::RandomTree(2 + random.Below(30), random);
    const std::vector<double> table = tree.DeltaTable();
    for (std::size_t y = 0; y < tree.classes(); ++y)
      for (std::size_t other = 0; other < tree.classes(); ++other) {
        const double product = tree.Kappa(y, y) + tree.Kappa(other, other) - 2 * tree.Kappa(y, other);
        REQUIRE(product == Approx(2 * tree.Delta(y, other)).margin(1e-12));
        REQUIRE(tree.Delta(y, other) == tree.Delta(other, y));
        REQUIRE(table[y * tree.classes() + other] == tree.Delta(y, other));
      }
  }
}

TEST_CASE("task loss: distance to the predicted class, ties go to the lowest class") {
  const LabelTree tree = LabelTree::FromNames(Names{"a.x", "a.y", "b.z"}, '.', Shape::kFull);
  const PredictionLoss loss(&tree), none(nullptr);
  REQUIRE(loss.known());
  CHECK(loss(std::vector{1.0, 2.0, 3.0}, 0) == tree.Delta(0, 2));
  CHECK(loss(std::vector{1.0, 2.0, 2.0}, 0) == tree.Delta(0, 1));
  CHECK(loss(std::vector{1.0, 2.0, 2.0}, 1) == 0.0);
  CHECK(!none.known());
  CHECK(!none(std::vector{1.0, 2.0, 2.0}, 1).has_value());
}

TEST_CASE("edges and names give the same label tree") {
  const Edges edges = {
      {"all", "comp"}, {"all", "rec"}, {"comp", "graphics"}, {"comp", "mac"}, {"rec", "autos"}};
  const LabelTree tree = LabelTree::FromEdges(edges, Names{"mac", "autos", "graphics"});
  CHECK(tree.Delta(0, 2) == 1);
  CHECK(tree.Delta(0, 1) == 2);
  CHECK(tree.nodes() == 6);
}

TEST_CASE("invalid label trees are rejected with one line") {
  const auto edges = [](const Edges& list, const Names& classes) {
    return [list, classes] { return LabelTree::FromEdges(list, classes); };
  };
  const Names ab = {"a", "b"};
  CHECK_THROWS_WITH(edges({{"r", "a"}, {"s", "b"}}, ab)(), "label tree: two roots, 'r' and 's'");
  CHECK_THROWS_WITH(edges({{"r", "a"}, {"r", "b"}, {"r", "c"}}, ab)(), "label tree: no class below 'c'");
  CHECK_THROWS_WITH(edges({{"r", "a"}}, ab)(), "label tree: no edge to the class 'b'");
  CHECK_THROWS_WITH(edges({{"r", "a"}, {"r", "b"}, {"x", "y"}, {"y", "x"}}, ab)(),
                    Catch::StartsWith("label tree: cycle through '"));
  CHECK_THROWS_WITH(edges({{"a", "b"}, {"b", "a"}}, {})(), "label tree: cycle: every node has a parent");
  CHECK_THROWS_WITH(edges({{"r", "a"}, {"r", "b"}, {"b", "a"}}, ab)(),
                    "label tree: 'a' has two parents, 'r' and 'b'");
  CHECK_THROWS_WITH(edges({{"r", "a"}, {"a", "b"}}, ab)(), "label tree: the class 'a' is an inner node");
  CHECK_THROWS_WITH(edges({}, ab)(), "label tree: no edges");
  CHECK_THROWS_WITH(LabelTree::FromNames(Names{"a..b"}, '.', Shape::kFull),
                    "label tree: the class 'a..b' has an empty part");
  CHECK_THROWS_WITH(LabelTree::FromNames(Names{"a.b", "a"}, '.', Shape::kFull),
                    "label tree: the class 'a' is an inner node");
  CHECK_THROWS_WITH(LabelTree::FromNames(Names{"a", "a.b"}, '.', Shape::kFull),
                    "label tree: the class 'a' is an inner node above 'a.b'");
  CHECK_THROWS_AS(LabelTree::Flat(2).WithWeights({1, 1}), InvalidArgument);
  CHECK_THROWS_AS(LabelTree::Flat(2).WithWeights({1, -1, 1}), InvalidArgument);
}

}  // namespace
}  // namespace okbench
