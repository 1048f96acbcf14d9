#include "datasets/catalog/class_tree.h"

#include <algorithm>

namespace okbench {

std::vector<std::string> PathTo(const ClassTree& tree, const std::string& name) {
  std::vector<std::string> path;
  if (tree.separator != '\0') {
    for (std::size_t at = name.find(tree.separator); at != std::string::npos;
         at = name.find(tree.separator, at + 1))
      path.push_back(name.substr(0, at));
    path.push_back(name);
    return path;
  }
  // The number of edges bounds the path, so a cycle ends.
  for (std::string node = name; path.size() <= tree.edges.size();) {
    const auto edge = std::find_if(tree.edges.begin(), tree.edges.end(),
                                   [&node](const auto& e) { return e.second == node; });
    if (edge == tree.edges.end()) break;  // the root
    path.push_back(node);
    node = edge->first;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace okbench
