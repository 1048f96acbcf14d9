#include "harness/spec/label_trees.h"

#include "base/error.h"
#include "base/sha256.h"

namespace okbench {

const char* ShapeName(LabelTree::Shape shape) {
  static const char* const kNames[] = {"two-levels", "collapsed", "full"};
  return kNames[static_cast<int>(shape)];
}

LabelTree MakeLabelTree(const DataSet& set, LabelTree::Shape shape) try {
  if (!set.tree) throw DataError("data set '" + set.name + "' has no tree of its classes");
  if (set.tree->separator != '\0') return LabelTree::FromNames(set.class_names, set.tree->separator, shape);
  if (shape != LabelTree::Shape::kFull)
    throw DataError("data set '" + set.name +
                    "' defines its tree by edges; only the shape 'full' is possible");
  return LabelTree::FromEdges(set.tree->edges, set.class_names);
} catch (const InvalidArgument& error) {
  throw DataError("data set '" + set.name + "': " + error.what());
}

LabelGraph MakeLabelGraph(const DataSet& set, const std::vector<std::string>& edges) {
  if (set.kind != LabelKind::kMulticlass)
    throw DataError("data set '" + set.name + "' has no multiclass labels, which a label graph needs");
  try {
    return LabelGraph(edges, set.class_names.empty() ? set.labels : set.class_names);
  } catch (const InvalidArgument& error) {
    throw DataError("data set '" + set.name + "': " + error.what());
  }
}

std::string TreeDigest(const LabelTree& tree) {
  std::string text;
  for (LabelTree::Node node = 0; node < tree.nodes(); ++node) text += std::to_string(tree.parent(node)) + " ";
  for (std::size_t y = 0; y < tree.classes(); ++y) text += ":" + std::to_string(tree.leaf(y));
  return "sha256:" + Sha256Hex(text);
}

}  // namespace okbench
