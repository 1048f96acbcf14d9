#include "learners/outputs/label_tree.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/error.h"

namespace okbench {
namespace {

using Node = LabelTree::Node;

std::vector<std::string> PartsOf(const std::string& name, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : name) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  for (const std::string& part : parts)
    if (part.empty()) throw InvalidArgument("label tree: the class '" + name + "' has an empty part");
  return parts;
}

// A tree under construction, by paths from the root.
struct Branch {
  std::map<std::string, Branch> children;
  int label = -1;  // class of this leaf; -1: inner node
};

void Grow(const Branch& branch, bool collapse, Node node, std::vector<Node>& parents,
          std::vector<Node>& leaves) {
  if (branch.label >= 0) {
    leaves[static_cast<std::size_t>(branch.label)] = node;
    return;
  }
  for (const auto& [name, child] : branch.children) {
    const Branch* end = &child;
    while (collapse && end->children.size() == 1) end = &end->children.begin()->second;
    parents.push_back(node);
    Grow(*end, collapse, static_cast<Node>(parents.size() - 1), parents, leaves);
  }
}

}  // namespace

LabelTree::LabelTree(std::vector<Node> parents, std::vector<Node> leaves)
    : parents_(std::move(parents)), leaves_(std::move(leaves)), weights_(parents_.size(), 1.0) {
  for (const Node leaf : leaves_) {
    std::size_t depth = 0;
    for (Node node = leaf; node != 0; node = parents_[node]) ++depth;
    depth_ = std::max(depth_, depth);
  }
}

LabelTree LabelTree::Flat(std::size_t classes) {
  std::vector<Node> leaves(classes);
  for (std::size_t y = 0; y < classes; ++y) leaves[y] = static_cast<Node>(y + 1);
  return LabelTree(std::vector<Node>(classes + 1, 0), std::move(leaves));
}

LabelTree LabelTree::Identity(std::size_t classes) {
  LabelTree tree = Flat(classes);
  tree.weights_[0] = 0;
  return tree;
}

LabelTree LabelTree::FromNames(std::span<const std::string> classes, char separator, Shape shape) {
  Branch root;
  for (std::size_t y = 0; y < classes.size(); ++y) {
    std::vector<std::string> parts = PartsOf(classes[y], separator);
    if (shape == Shape::kTwoLevels) parts = {parts.front(), classes[y]};
    Branch* at = &root;
    for (const std::string& part : parts) {
      if (at->label >= 0)
        throw InvalidArgument("label tree: the class '" + classes[static_cast<std::size_t>(at->label)] +
                              "' is an inner node above '" + classes[y] + "'");
      at = &at->children[part];
    }
    if (at->label >= 0) throw InvalidArgument("label tree: two classes are named '" + classes[y] + "'");
    if (!at->children.empty())
      throw InvalidArgument("label tree: the class '" + classes[y] + "' is an inner node");
    at->label = static_cast<int>(y);
  }
  std::vector<Node> parents(1, 0), leaves(classes.size());
  Grow(root, shape == Shape::kCollapsed, 0, parents, leaves);
  return LabelTree(std::move(parents), std::move(leaves));
}

LabelTree LabelTree::FromEdges(std::span<const std::pair<std::string, std::string>> edges,
                               std::span<const std::string> classes) {
  const auto fail = [](const std::string& cause) { throw InvalidArgument("label tree: " + cause); };
  std::map<std::string, std::string> parent_of;
  std::map<std::string, std::vector<std::string>> children_of;
  for (const auto& [parent, child] : edges) {
    const auto [known, fresh] = parent_of.emplace(child, parent);
    if (!fresh) fail("'" + child + "' has two parents, '" + known->second + "' and '" + parent + "'");
    children_of[parent].push_back(child);
  }
  std::vector<std::string> roots;
  for (const auto& [parent, children] : children_of)
    if (!parent_of.contains(parent)) roots.push_back(parent);
  if (roots.empty()) fail(edges.empty() ? "no edges" : "cycle: every node has a parent");
  if (roots.size() > 1) fail("two roots, '" + roots[0] + "' and '" + roots[1] + "'");
  std::map<std::string, std::size_t> label_of;
  for (std::size_t y = 0; y < classes.size(); ++y) {
    if (!label_of.emplace(classes[y], y).second) fail("two classes are named '" + classes[y] + "'");
    if (children_of.contains(classes[y])) fail("the class '" + classes[y] + "' is an inner node");
    if (!parent_of.contains(classes[y])) fail("no edge to the class '" + classes[y] + "'");
  }
  std::vector<Node> parents(1, 0), leaves(classes.size());
  std::vector<std::string> names = roots;  // by node; grows while it is read
  for (std::size_t node = 0; node < names.size(); ++node) {
    const auto entry = children_of.find(names[node]);
    if (entry == children_of.end()) {
      const auto label = label_of.find(names[node]);
      if (label == label_of.end()) fail("no class below '" + names[node] + "'");
      leaves[label->second] = static_cast<Node>(node);
      continue;
    }
    for (const std::string& child : entry->second) {
      parents.push_back(static_cast<Node>(node));
      names.push_back(child);
    }
  }
  // Nodes that are not reachable from the root form a cycle.
  const std::set<std::string> reached(names.begin(), names.end());
  for (const auto& [child, parent] : parent_of)
    if (!reached.contains(child)) fail("cycle through '" + child + "'");
  return LabelTree(std::move(parents), std::move(leaves));
}

LabelTree LabelTree::WithWeights(std::vector<double> weights) const {
  if (weights.size() != nodes())
    throw InvalidArgument("label tree: " + std::to_string(weights.size()) + " weights for " +
                          std::to_string(nodes()) + " nodes");
  for (const double weight : weights)
    if (!(weight >= 0) || !std::isfinite(weight)) throw InvalidArgument("label tree: weights must be >= 0");
  LabelTree tree = *this;
  tree.weights_ = std::move(weights);
  return tree;
}

double LabelTree::Kappa(std::size_t y, std::size_t other) const {
  // Children have larger numbers than their parents: replace the larger of two different nodes by its parent.
  Node a = leaves_[y], b = leaves_[other];
  while (a != b) {
    Node& lower = a > b ? a : b;
    lower = parents_[lower];
  }
  double sum = weights_[a];
  for (; a != 0; a = parents_[a]) sum += weights_[parents_[a]];
  return sum;
}

double LabelTree::Delta(std::size_t y, std::size_t other) const {
  Node a = leaves_[y], b = leaves_[other];
  double sum = 0;
  while (a != b) {
    Node& lower = a > b ? a : b;
    sum += weights_[lower];
    lower = parents_[lower];
  }
  return sum / 2;
}

std::vector<double> LabelTree::DeltaTable() const {
  std::vector<double> table;
  table.reserve(classes() * classes());
  for (std::size_t y = 0; y < classes(); ++y)
    for (std::size_t other = 0; other < classes(); ++other) table.push_back(Delta(y, other));
  return table;
}

double LabelTree::LargestDelta() const {
  const std::vector<double> table = DeltaTable();
  return table.empty() ? 0 : *std::max_element(table.begin(), table.end());
}

void LabelTree::SumUp(std::span<double> totals) const {
  for (std::size_t node = nodes(); node-- > 1;) totals[parents_[node]] += totals[node];
}

void LabelTree::SumDown(std::span<double> totals, std::span<double> sums) const {
  totals[0] *= weights_[0];
  for (std::size_t node = 1; node < nodes(); ++node)
    totals[node] = totals[parents_[node]] + weights_[node] * totals[node];
  for (std::size_t y = 0; y < classes(); ++y) sums[y] = totals[leaves_[y]];
}

double LabelTree::PathSum(std::span<const double> totals, std::size_t y) const {
  double sum = 0;
  for (Node node = leaves_[y];; node = parents_[node]) {
    sum += weights_[node] * totals[node];
    if (node == 0) return sum;
  }
}

}  // namespace okbench
