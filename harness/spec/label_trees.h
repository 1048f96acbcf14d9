#pragma once
// Label trees and graphs of the data sets in the catalog.

#include <string>
#include <vector>

#include "datasets/catalog/catalog.h"
#include "learners/outputs/label_graph.h"
#include "learners/outputs/label_tree.h"

namespace okbench {

/// Name of a shape in specs: "two-levels", "collapsed" or "full".
const char* ShapeName(LabelTree::Shape shape);

/// Builds the label tree of a data set. Throws DataError, which names the set, if the set has no tree, if the
/// tree is given by edges and `shape` is not kFull, or if the edges or class names do not form a tree.
LabelTree MakeLabelTree(const DataSet& set, LabelTree::Shape shape);

/// Builds the label graph of a data set from edges (LabelGraph); nodes are class names, or labels if the set
/// has no names. Throws DataError, which names the set; also for binary and real labels.
LabelGraph MakeLabelGraph(const DataSet& set, const std::vector<std::string>& edges);

/// SHA-256 of the parent of every node and the leaf of every class, as "sha256:<hex>". Part of trial ids.
std::string TreeDigest(const LabelTree& tree);

}  // namespace okbench
