#pragma once
// The label trees of the catalogue's data sets.

#include <string>

#include "datasets/catalog.h"
#include "learners/outputs/label_tree.h"

namespace okbench {

/// As specs write shapes: two-levels, collapsed, full.
const char* ShapeName(LabelTree::Shape shape);

/// The tree of a set's classes. Throws DataError naming the set: it has no tree, its tree is given by edges
/// and the shape is not full, or what it has is no tree.
LabelTree MakeLabelTree(const DataSet& set, LabelTree::Shape shape);

/// What identifies a tree: its nodes and which of them are which classes.
std::string TreeDigest(const LabelTree& tree);

}  // namespace okbench
