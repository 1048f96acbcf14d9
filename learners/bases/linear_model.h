#pragma once
// Functions shared by linear models w: inner products with a row, and errors and losses on binary examples.
// Sums run in the order of the features, in double precision.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "learners/api/cost_model.h"
#include "learners/api/learner.h"
#include "learners/api/model.h"
#include "learners/api/parameter_table.h"
#include "learners/core/eigen.h"

namespace okbench {

/// Adds the parameter lambda of eq. 1 of linear-2010, a member of Options.
template <class Options>
ParameterTable<Options>& AddRegulariser(ParameterTable<Options>& table) {
  return table.Real(&Options::lambda, "lambda", "lambda", Positive(), "",
                    "regulariser: lambda/2 ||w||^2 + mean hinge loss");
}

/// Cost of methods without a kernel that visit every example `passes` times.
Cost LinearCost(const Workload& work, double passes);

/// Feature index of the j-th stored entry of a row.
template <class T>
Eigen::Index Feature(const RowView<T>& row, std::size_t j) {
  return static_cast<Eigen::Index>(row.indices ? row.indices[j] : j);
}

/// Weights with a row for each feature, all 0 at first. A vector holds them, so that their memory is
/// measured; that of Eigen is not. `kColumns`: the number of columns, or Eigen::Dynamic.
template <int kColumns>
class FeatureWeights {
 public:
  using View = Eigen::Map<Eigen::Array<double, Eigen::Dynamic, kColumns, Eigen::RowMajor>>;
  using ConstView = Eigen::Map<const Eigen::Array<double, Eigen::Dynamic, kColumns, Eigen::RowMajor>>;

  FeatureWeights(std::size_t features, std::size_t columns)
      : columns_(static_cast<Eigen::Index>(columns)), values_(features * columns) {}

  std::size_t columns() const { return static_cast<std::size_t>(columns_); }
  View view() { return {values_.data(), rows(), columns_}; }
  ConstView view() const { return {values_.data(), rows(), columns_}; }

  /// Adds a column of zeros after the others.
  void AddColumn() {
    FeatureWeights wider(static_cast<std::size_t>(rows()), columns() + 1);
    wider.view().leftCols(columns_) = view();
    *this = std::move(wider);
  }
  /// When reading, the weights of added features are 0.
  void Serialize(Archive& archive) {
    const AddedFeatures& added = archive.added();
    const auto at = static_cast<Eigen::Index>(added.at), count = static_cast<Eigen::Index>(added.count);
    const Eigen::Index stored = rows() - count;
    archive.Values("weights", values_.data(), static_cast<std::size_t>(stored * columns_));
    if (count == 0) return;
    const auto after = view().middleRows(at, stored - at).eval();
    view().bottomRows(stored - at) = after;
    view().middleRows(at, count).setZero();
  }

 private:
  Eigen::Index rows() const {
    return columns_ > 0 ? static_cast<Eigen::Index>(values_.size()) / columns_ : 0;
  }

  Eigen::Index columns_;
  std::vector<double> values_;  // [feature][column]
};

/// <w, x>; w(f) is the weight of feature f.
template <class T, class Weight>
double Product(const RowView<T>& row, const Weight& w) {
  double sum = 0;
  for (std::size_t j = 0; j < row.count; ++j) sum += w(Feature(row, j)) * static_cast<double>(row.values[j]);
  return sum;
}

/// Throws InvalidArgument, naming `method`, unless the kernel is linear, without a bias, and the labels are
/// binary.
template <class T>
void RequireLinearBinary(const char* method, const LearnerContext<T>& context);

template <class T>
Model<T> LinearModelOf(const Eigen::VectorXd& w) {
  return {.kernel = Kernel::Linear(), .weights = {w.begin(), w.end()}};
}

/// Test errors of f(x) = <w, x>, see PredictsWrong().
template <class T>
TestOutcome TestLinear(const Examples<T>& set, const Eigen::VectorXd& w);

/// Mean hinge loss on these rows, and the objective lambda/2 ||w||^2 + mean hinge loss (eq. 1 of
/// linear-2010).
template <class T>
TrainingOutcome MeasureLinear(const Examples<T>& set, std::span<const std::uint32_t> rows,
                              const Eigen::VectorXd& w, double lambda);

extern template void RequireLinearBinary(const char*, const LearnerContext<float>&);
extern template void RequireLinearBinary(const char*, const LearnerContext<double>&);
extern template TestOutcome TestLinear(const Examples<float>&, const Eigen::VectorXd&);
extern template TestOutcome TestLinear(const Examples<double>&, const Eigen::VectorXd&);
extern template TrainingOutcome MeasureLinear(const Examples<float>&, std::span<const std::uint32_t>,
                                              const Eigen::VectorXd&, double);
extern template TrainingOutcome MeasureLinear(const Examples<double>&, std::span<const std::uint32_t>,
                                              const Eigen::VectorXd&, double);

}  // namespace okbench
