#pragma once
// Random label trees for tests.

#include <string>
#include <utility>
#include <vector>

#include "learners/core/random.h"
#include "learners/outputs/label_tree.h"

namespace okbench::testing {

/// A tree of `classes` classes at different depths, with random weights.
inline LabelTree RandomTree(std::size_t classes, Random& random) {
  std::vector<std::pair<std::string, std::string>> edges;
  std::vector<std::string> inner = {"root"}, names;
  for (std::size_t y = 0; y < classes; ++y) {
    names.push_back("class" + std::to_string(y));
    // Adds an inner node with probability 1/3, always with a class below it.
    const std::string& at = inner[random.Below(inner.size())];
    if (random.Below(3) == 0) {
      const std::string node = "node" + std::to_string(y);
      edges.emplace_back(at, node);
      edges.emplace_back(node, names.back());
      inner.push_back(node);
    } else {
      edges.emplace_back(at, names.back());
    }
  }
  const LabelTree tree = LabelTree::FromEdges(edges, names);
  std::vector<double> weights;
  for (std::size_t node = 0; node < tree.nodes(); ++node) weights.push_back(0.1 + random.Uniform());
  return tree.WithWeights(weights);
}

}  // namespace okbench::testing
