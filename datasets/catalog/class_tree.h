#pragma once
// ClassTree: the tree whose leaves are the classes of a data set, as given in the catalog.

#include <string>
#include <utility>
#include <vector>

namespace okbench {

/// A tree in one of two forms: class names that are paths with a separator, or a list of edges.
struct ClassTree {
  char separator = '\0';                                   ///< between path components; 0: edges are used
  std::vector<std::pair<std::string, std::string>> edges;  ///< (parent, child)
};

/// Returns the nodes from the child of the root down to the class `name`, inclusive. Empty if the edges do
/// not contain `name`. Cycles in the edges end the path.
std::vector<std::string> PathTo(const ClassTree& tree, const std::string& name);

}  // namespace okbench
