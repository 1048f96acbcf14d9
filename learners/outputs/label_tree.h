#pragma once
// LabelTree: a rooted tree whose leaves are the classes of a data set, and what it says of two classes.
//
// anc(y) are the nodes from leaf y up to the root, both included, each with a weight (1 unless given).
//
//   kappa(y, y') = sum of the weights of anc(y) and anc(y')             (eqs. 66 to 68 of svmd-2006)
//   Delta(y, y') = half the weights of the nodes that only one has      (eq. 65)
//                = (kappa(y, y) + kappa(y', y')) / 2 - kappa(y, y')
//
// so that a step along e_y' - e_y has (e_y' - e_y)' kappa (e_y' - e_y) = 2 Delta(y, y'): the root cancels.
// Leaves right under the root have Delta = 1, the flat loss. Immutable, hence safe to share.

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

  /// How names of classes such as "rec.sport.hockey" become nodes.
  enum class Shape {
    kTwoLevels,  ///< the first part is a group, the whole name a leaf in it
    kCollapsed,  ///< every part a node, but chains of single children are one node, the last of them
    kFull,       ///< every part a node
  };

  /// All classes right under the root.
  static LabelTree Flat(std::size_t classes);
  /// The same with a root of weight 0: kappa is the identity.
  static LabelTree Identity(std::size_t classes);
  /// From the names of the classes, whose parts the separator divides. Throws InvalidArgument for an empty
  /// part, two equal names, or a class that is an inner node of another one's path.
  static LabelTree FromNames(std::span<const std::string> classes, char separator, Shape shape);
  /// From edges (parent, child) between named nodes; class i is the leaf named classes[i]. Throws
  /// InvalidArgument, naming the node, for two parents, a cycle, two roots, a class that is no leaf or is not
  /// there, and a node without classes below it.
  static LabelTree FromEdges(std::span<const std::pair<std::string, std::string>> edges,
                             std::span<const std::string> classes);

  /// Nodes are numbered so that parents come before their children; the root is 0.
  std::size_t nodes() const { return parents_.size(); }
  std::size_t classes() const { return leaves_.size(); }
  /// Of the root: itself.
  Node parent(Node node) const { return parents_[node]; }
  Node leaf(std::size_t y) const { return leaves_[y]; }
  double weight(Node node) const { return weights_[node]; }
  /// The most nodes between a leaf and the root, the root not counted.
  std::size_t depth() const { return depth_; }
  /// The same tree with other weights, one a node, >= 0. Throws InvalidArgument.
  LabelTree WithWeights(std::vector<double> weights) const;

  double Kappa(std::size_t y, std::size_t other) const;
  double Delta(std::size_t y, std::size_t other) const;
  /// Delta of every pair, row-major.
  std::vector<double> DeltaTable() const;
  /// The largest Delta.
  double LargestDelta() const;

  /// Adds each node's total to its parent's: leaf sums become the totals of subtrees. nodes() entries.
  void SumUp(std::span<double> totals) const;
  /// From totals of subtrees: sums[y] = sum over anc(y) of weight * total, (kappa g)_y of leaf sums g.
  /// `totals` is overwritten.
  void SumDown(std::span<double> totals, std::span<double> sums) const;
  /// The same of one class, `totals` left as they are.
  double PathSum(std::span<const double> totals, std::size_t y) const;

 private:
  LabelTree(std::vector<Node> parents, std::vector<Node> leaves);

  std::vector<Node> parents_;
  std::vector<Node> leaves_;  // by class
  std::vector<double> weights_;
  std::size_t depth_ = 0;
};

}  // namespace okbench
