#pragma once
// Label distances: the loss Delta(y, y') of predicting class y' where class y is true. The multiclass soft
// margin loss is the special case of distance 1 between any two classes (section 4.2.2 of svmd-2006).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "learners/core/math.h"
#include "learners/outputs/label_graph.h"
#include "learners/outputs/label_tree.h"

namespace okbench {

/// A table Delta(y, y') >= 0 with Delta(y, y) = 0, eq. 28 of svmd-2006.
class LabelDistance {
 public:
  /// Distance 1 between different classes.
  static LabelDistance ZeroOne(std::size_t classes) {
    std::vector<double> table(classes * classes, 1.0);
    for (std::size_t y = 0; y < classes; ++y) table[y * classes + y] = 0;
    return LabelDistance(classes, std::move(table));
  }
  /// Takes classes * classes entries, row-major. Throws InvalidArgument if the size is wrong, an entry is
  /// negative, or a diagonal entry is not 0.
  LabelDistance(std::size_t classes, std::vector<double> table)
      : classes_(classes), table_(std::move(table)) {
    if (table_.size() != classes * classes) throw InvalidArgument("label distance: the table is not square");
    for (std::size_t i = 0; i < table_.size(); ++i)
      if (!(table_[i] >= 0) || (i % (classes + 1) == 0 && table_[i] != 0))
        throw InvalidArgument("label distance: entries must be >= 0 and 0 on the diagonal");
  }

  std::size_t classes() const { return classes_; }
  double operator()(std::size_t y, std::size_t other) const { return table_[y * classes_ + other]; }

 private:
  std::size_t classes_;
  std::vector<double> table_;
};

/// Loss of a prediction, Delta(y, arg max_r f[r]), for data with a label tree or a label graph; empty for
/// other data.
class PredictionLoss {
 public:
  /// At most one of them is not null.
  explicit PredictionLoss(const LabelTree* tree, const LabelGraph* graph = nullptr) {
    if (tree != nullptr) delta_.emplace(tree->classes(), tree->DeltaTable());
    if (graph != nullptr) delta_.emplace(graph->classes(), graph->DeltaTable());
  }
  bool known() const { return delta_.has_value(); }
  /// Ties go to the lowest class.
  std::optional<double> operator()(std::span<const double> f, std::size_t y) const {
    if (!delta_) return std::nullopt;
    return (*delta_)(y, ArgMax(f));
  }

 private:
  std::optional<LabelDistance> delta_;
};

}  // namespace okbench
