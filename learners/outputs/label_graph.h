#pragma once
// LabelGraph: weighted undirected graph whose nodes include the classes of a data set (svmd-2006, section
// 4.2.2). Delta_G(y, y') is the weight of the shortest path between two classes. A label tree whose edges
// have weight 1/2 is a special case: there Delta_G is eq. 65 (LabelTree::Delta).

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace okbench {

class LabelGraph {
 public:
  /// Parses edges "node node weight", e.g. "3 5 0.5". Nodes that name a class are that class; other nodes
  /// only connect. Every weight is >= 0 and finite. Throws InvalidArgument, naming the edge or class, for a
  /// text of another form, an edge from a node to itself, two edges between the same nodes, more than 2000
  /// nodes, and a class without a path to the first class.
  LabelGraph(std::span<const std::string> edges, std::span<const std::string> classes);

  std::size_t classes() const { return classes_; }
  /// Weight of the shortest path between every two classes, row-major.
  const std::vector<double>& DeltaTable() const { return table_; }

 private:
  std::size_t classes_;
  std::vector<double> table_;
};

}  // namespace okbench
