// Label graphs: shortest paths by hand, trees as a special case, and rejected input.

#include "learners/outputs/label_graph.h"

#include <fmt/format.h>

#include "base/error.h"
#include "learners/core/random.h"
#include "tests/catch.h"
#include "tests/learners/outputs/random_tree.h"

namespace okbench {
namespace {

using Texts = std::vector<std::string>;

TEST_CASE("shortest paths of a label graph by hand") {
  // A ring a - b - c - x - a, where x is no class. From a to c: 1 + 2 over b, 0.5 + 4 over x.
  const Texts edges = {"a b 1", "b c 2", "c x 4", "x a 0.5"}, classes = {"a", "b", "c"};
  CHECK(LabelGraph(edges, classes).DeltaTable() == std::vector<double>{0, 1, 3, 1, 0, 2, 3, 2, 0});
  // A shortcut over x of weight 0.5 + 1.
  const Texts shorter = {"a b 1", "b c 2", "c x 1", "x a 0.5"};
  CHECK(LabelGraph(shorter, classes).DeltaTable() == std::vector<double>{0, 1, 1.5, 1, 0, 2, 1.5, 2, 0});
}

TEST_CASE("a label graph whose edges have half the weights of a tree's nodes has the tree's distances") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const LabelTree tree = testing::RandomTree(7, random);
    Texts edges, classes;
    const auto name = [](LabelTree::Node node) { return "n" + std::to_string(node); };
    for (LabelTree::Node node = 1; node < tree.nodes(); ++node)
      edges.push_back(fmt::format("{} {} {}", name(tree.parent(node)), name(node), tree.weight(node) / 2));
    for (std::size_t y = 0; y < 7; ++y) classes.push_back(name(tree.leaf(y)));
    const LabelGraph graph(edges, classes);
    const std::vector<double> expected = tree.DeltaTable();
    for (std::size_t i = 0; i < expected.size(); ++i)
      CHECK(graph.DeltaTable()[i] == Approx(expected[i]).margin(1e-14));
  }
}

TEST_CASE("edges that form no label graph are rejected with the edge or class") {
  const Texts classes = {"a", "b"};
  const auto message = [&](const Texts& edges) -> std::string {
    try {
      const LabelGraph graph(edges, classes);
      return "accepted";
    } catch (const InvalidArgument& error) {
      return error.what();
    }
  };
  CHECK(message({"a b 0"}) == "accepted");
  for (const char* edge : {"", "a b", "a b -1", "a b 1 2", "a b x", "a b 1e999", "a b nan", "a b inf"})
    CHECK(message({edge}) ==
          "edge '" + std::string(edge) + "': expected two nodes and a weight >= 0, e.g. \"3 5 0.5\"");
  CHECK(message({"a a 1"}) == "edge 'a a 1' connects a node with itself");
  CHECK(message({"a b 1", "b a 2"}) == "edge 'b a 2': these nodes have an edge already");
  CHECK(message({"a x 1"}) == "class 'b' has no path to class 'a'");
}

}  // namespace
}  // namespace okbench
