#pragma once
// ClassTree: what the catalogue says of the tree whose leaves are the classes of a data set.

#include <string>
#include <utility>
#include <vector>

namespace okbench {

/// Class names are paths, or there are edges; one of the two.
struct ClassTree {
  char separator = '\0';                                   ///< of the parts of a path
  std::vector<std::pair<std::string, std::string>> edges;  ///< (parent, child)
};

/// The nodes on the way from below the root to a class, itself included, as far as the tree goes.
std::vector<std::string> PathTo(const ClassTree& tree, const std::string& name);

}  // namespace okbench
