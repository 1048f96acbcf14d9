#pragma once
// LabelTree: rooted tree whose leaves are the classes of a data set. Defines a kernel and a loss on classes.
//
// anc(y) is the set of nodes from leaf y up to the root, both included. Each node has a weight, 1 by default.
//
//   kappa(y, y') = sum of the weights of the nodes in both anc(y) and anc(y')   (eqs. 66 to 68 of svmd-2006)
//   Delta(y, y') = half the sum of the weights of the nodes in only one         (eq. 65)
//                = (kappa(y, y) + kappa(y', y')) / 2 - kappa(y, y')
//
// Hence (e_y' - e_y)' kappa (e_y' - e_y) = 2 Delta(y, y'): the root cancels. Leaves directly under the root
// have Delta = 1, the flat loss. Immutable and thread-safe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace okbench {

class LabelTree {
 public:
  using Node = std::uint32_t;

  /// How class names such as "rec.sport.hockey" become nodes.
  enum class Shape {
    kTwoLevels,  ///< the first part is a group, the full name a leaf in it
    kCollapsed,  ///< every part is a node, but a chain of only children becomes its last node
    kFull,       ///< every part is a node
  };

  /// All classes directly under the root.
  static LabelTree Flat(std::size_t classes);
  /// As Flat(), with root weight 0: kappa is the identity.
  static LabelTree Identity(std::size_t classes);
  /// Builds a tree from class names; `separator` divides a name into parts. Throws InvalidArgument for an
  /// empty part, two equal names, or a class that is an inner node of another class's path.
  static LabelTree FromNames(std::span<const std::string> classes, char separator, Shape shape);
  /// Builds a tree from edges (parent, child) between named nodes; class i is the leaf named classes[i].
  /// Throws InvalidArgument, naming the node, for two parents, a cycle, two roots, a class that is missing or
  /// not a leaf, and a leaf that is not a class.
  static LabelTree FromEdges(std::span<const std::pair<std::string, std::string>> edges,
                             std::span<const std::string> classes);

  /// Nodes are numbered so that parents come before their children; the root is 0.
  std::size_t nodes() const { return parents_.size(); }
  std::size_t classes() const { return leaves_.size(); }
  /// Parent of a node; the root is its own parent.
  Node parent(Node node) const { return parents_[node]; }
  Node leaf(std::size_t y) const { return leaves_[y]; }
  double weight(Node node) const { return weights_[node]; }
  /// Largest number of edges between a leaf and the root.
  std::size_t depth() const { return depth_; }
  /// A copy of the tree with these weights, one per node. Throws InvalidArgument unless they are finite and
  /// >= 0.
  LabelTree WithWeights(std::vector<double> weights) const;

  double Kappa(std::size_t y, std::size_t other) const;
  double Delta(std::size_t y, std::size_t other) const;
  /// Delta of every pair, row-major.
  std::vector<double> DeltaTable() const;
  /// The largest Delta.
  double LargestDelta() const;

  /// Adds each node's total to its parent's total, from the leaves up: leaf sums become subtree totals.
  /// REQUIRES: nodes() entries.
  void SumUp(std::span<double> totals) const;
  /// Computes sums[y] = sum over anc(y) of weight * total from subtree totals. For leaf sums g this is (kappa
  /// g)_y. Overwrites `totals`.
  void SumDown(std::span<double> totals, std::span<double> sums) const;
  /// As SumDown() for one class; does not change `totals`.
  double PathSum(std::span<const double> totals, std::size_t y) const;

 private:
  LabelTree(std::vector<Node> parents, std::vector<Node> leaves);

  std::vector<Node> parents_;
  std::vector<Node> leaves_;  // [class]
  std::vector<double> weights_;
  std::size_t depth_ = 0;
};

}  // namespace okbench
