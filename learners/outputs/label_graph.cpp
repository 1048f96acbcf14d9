#include "learners/outputs/label_graph.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>

#include "base/error.h"

namespace okbench {
namespace {

constexpr std::size_t kMaxNodes = 2000;  // the shortest paths take O(nodes^3)

struct Edge {
  std::string from, to;
  double weight;
};

Edge Parse(const std::string& text) {
  std::istringstream words(text);
  std::string from, to, number, more;
  words >> from >> to >> number >> more;
  double weight = -1;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), weight);
  const bool valid = error == std::errc() && end == number.data() + number.size() && weight >= 0 &&
                     std::isfinite(weight) && more.empty();
  if (number.empty() || !valid)
    throw InvalidArgument("edge '" + text + "': expected two nodes and a weight >= 0, e.g. \"3 5 0.5\"");
  if (from == to) throw InvalidArgument("edge '" + text + "' connects a node with itself");
  return {from, to, weight};
}

}  // namespace

LabelGraph::LabelGraph(std::span<const std::string> edges, std::span<const std::string> classes)
    : classes_(classes.size()) {
  std::map<std::string, std::size_t> nodes;
  for (const std::string& name : classes) nodes.emplace(name, nodes.size());
  std::vector<Edge> parsed;
  for (const std::string& text : edges) {
    parsed.push_back(Parse(text));
    for (const std::string& name : {parsed.back().from, parsed.back().to}) nodes.emplace(name, nodes.size());
  }
  const std::size_t n = nodes.size();
  if (n > kMaxNodes) throw InvalidArgument("a label graph has at most 2000 nodes");
  constexpr double kNoPath = std::numeric_limits<double>::infinity();
  std::vector<double> paths(n * n, kNoPath);
  for (std::size_t i = 0; i < n; ++i) paths[i * n + i] = 0;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const std::size_t i = nodes.at(parsed[e].from), j = nodes.at(parsed[e].to);
    if (paths[i * n + j] != kNoPath)
      throw InvalidArgument("edge '" + edges[e] + "': these nodes have an edge already");
    paths[i * n + j] = paths[j * n + i] = parsed[e].weight;
  }
  // Floyd and Warshall: after step `via`, paths run over the nodes up to `via`.
  for (std::size_t via = 0; via < n; ++via)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        paths[i * n + j] = std::min(paths[i * n + j], paths[i * n + via] + paths[via * n + j]);
  for (std::size_t y = 0; y < classes_; ++y) {
    if (paths[y] == kNoPath)
      throw InvalidArgument("class '" + classes[y] + "' has no path to class '" + classes[0] + "'");
    for (std::size_t other = 0; other < classes_; ++other) table_.push_back(paths[y * n + other]);
  }
}

}  // namespace okbench
