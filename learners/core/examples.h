#pragma once
// Examples: the rows of a data set as learners and the kernel engine see them.
//
// Immutable after construction, hence safe to share between trials that run side by side. Owns its values, or
// borrows them; a copy shares them. Rows are stored dense (row-major) or sparse (compressed rows); which of
// the two is a matter of speed only: every kernel value has the same bits for both. When every value is 0 or
// 1 a bit mask per row is kept too, and where rows are said to be of integers these are: for exact
// integer dot products.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "learners/core/row_source.h"

namespace Eigen {
template <class Derived>
struct EigenBase;
}  // namespace Eigen

namespace okbench {

/// What the label of an example means.
enum class LabelKind {
  kBinary,      ///< -1 or +1
  kMulticlass,  ///< class index 0 .. classes-1
  kReal,        ///< none: the target is a real number
  kStructured,  ///< none: inputs and targets are objects of a component (StructuredInputs)
};

/// "binary", "multiclass", "real" or "structured".
const char* LabelKindName(LabelKind kind);

/// Throws InvalidArgument, naming the method, when the data has labels of another kind than it needs.
void RequireLabels(const std::string& method, const std::vector<LabelKind>& needed, LabelKind have);

/// Targets of regression, one a row.
struct RealTargets {
  std::vector<double> targets;  ///< what a learner sees
  std::vector<double> truth;    ///< the same without noise, where it is known; else empty
};

/// Values that never change, and who keeps them alive: a list of their own, or whoever lends them.
template <class T>
class Shared {
 public:
  Shared() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a list is such values
  Shared(std::vector<T> values) {
    auto held = std::make_shared<const std::vector<T>>(std::move(values));
    view_ = *held;
    owner_ = std::move(held);
  }
  Shared(std::initializer_list<T> values) : Shared(std::vector<T>(values)) {}
  /// Borrowed: `owner` lives as long as anybody looks at them.
  Shared(std::span<const T> values, std::shared_ptr<const void> owner)
      : view_(values), owner_(std::move(owner)) {}

  const T* data() const { return view_.data(); }
  std::size_t size() const { return view_.size(); }
  bool empty() const { return view_.empty(); }
  auto begin() const { return view_.begin(); }
  auto end() const { return view_.end(); }
  const T& operator[](std::size_t i) const { return view_[i]; }

 private:
  std::span<const T> view_;
  std::shared_ptr<const void> owner_;
};

/// Inputs that are not rows of features, one per example. A component derives from it and defines what a
/// learner sees. Immutable.
class StructuredInputs {
 public:
  virtual ~StructuredInputs() = default;
  virtual std::size_t size() const = 0;
  /// Memory held, in bytes.
  virtual std::size_t bytes() const = 0;
  /// Feeds every byte that a learner can see to `update`, in a fixed order.
  virtual void Hash(const std::function<void(const void*, std::size_t)>& update) const = 0;
  /// These inputs, in this order. REQUIRES: every row < size().
  virtual std::shared_ptr<const StructuredInputs> Subset(std::span<const std::uint32_t> rows) const = 0;
};

template <class T>
class Examples final : public RowSource<T> {
 public:
  /// `values` has rows * features entries, row-major. Throws InvalidArgument when sizes disagree, a value
  /// is not finite or a label is outside its range.
  static Examples Dense(std::size_t features, Shared<T> values, std::vector<std::int32_t> labels,
                        LabelKind kind, int classes);

  /// The same from a matrix of Eigen's with one row an example (Eigen::Ref, Matrix, Map, ...), copied. This
  /// and all that takes or gives Eigen's matrices is in learners/core/eigen_examples.h.
  template <class Rows>
  static Examples Dense(const Eigen::EigenBase<Rows>& rows, std::vector<std::int32_t> labels, LabelKind kind,
                        int classes);

  /// Compressed rows: row i holds entries offsets[i] .. offsets[i+1]-1. Indices start at 0 and increase
  /// within a row. Throws InvalidArgument like Dense.
  static Examples Sparse(std::size_t features, std::vector<std::size_t> offsets,
                         Shared<std::uint32_t> indices, Shared<T> values, std::vector<std::int32_t> labels,
                         LabelKind kind, int classes);

  /// The same from a sparse matrix of Eigen's with one row an example, copied.
  template <class Rows>
  static Examples Sparse(const Eigen::EigenBase<Rows>& rows, std::vector<std::int32_t> labels, LabelKind kind,
                         int classes);

  /// Dense rows with real targets. Throws InvalidArgument like Dense, and for a target that is not finite.
  static Examples Regression(std::size_t features, Shared<T> values, RealTargets targets);

  /// Rows alone, dense, or sparse where there are offsets: to be asked with, or to be support vectors. Throws
  /// InvalidArgument like Dense and Sparse.
  static Examples Unlabelled(std::size_t rows, std::size_t features, Shared<T> values,
                             std::vector<std::size_t> offsets = {}, Shared<std::uint32_t> indices = {});
  /// The same rows with other labels. Throws InvalidArgument like Dense.
  Examples WithLabels(std::vector<std::int32_t> labels, LabelKind kind, int classes) const;
  /// The same with real targets.
  Examples WithTargets(RealTargets targets) const;

  /// The same dense rows, made of these integers. Throws InvalidArgument when sizes disagree.
  Examples WithIntegers(std::shared_ptr<const IntegerRows> whole) const;

  /// The same from a matrix of Eigen's.
  template <class Rows>
  static Examples Regression(const Eigen::EigenBase<Rows>& rows, RealTargets targets);

  /// Examples without features or labels, one per input. REQUIRES: `inputs` is not null.
  static Examples Structured(std::shared_ptr<const StructuredInputs> inputs);

  /// The rows of one set, then those of another of as many features and the same kind, with copies of their
  /// values. Throws InvalidArgument when they differ, or one is sparse and the other dense.
  static Examples Join(const Examples& first, const Examples& second);

  /// These rows, in this order, with copies of their values. Throws InvalidArgument for a row out of range.
  Examples Subset(std::span<const std::uint32_t> rows) const;

  std::size_t size() const override { return labels_.size(); }
  std::size_t features() const override { return features_; }
  bool sparse() const override { return !offsets_.empty(); }
  LabelKind label_kind() const { return kind_; }
  /// Number of classes; 2 for binary labels, 0 for real targets and structured inputs.
  int classes() const { return classes_; }
  std::int32_t label(std::size_t i) const { return labels_[i]; }
  /// 0 throughout for real targets and structured inputs.
  std::span<const std::int32_t> labels() const { return labels_; }
  /// What a loss compares a score with: the label, or the real target.
  double target(std::size_t i) const {
    return kind_ == LabelKind::kReal ? real_.targets[i] : static_cast<double>(labels_[i]);
  }
  /// The target without noise, where that is known; else the target.
  double truth(std::size_t i) const { return real_.truth.empty() ? target(i) : real_.truth[i]; }
  const RealTargets& real_targets() const { return real_; }
  /// The inputs of structured examples; null for other label kinds.
  const StructuredInputs* structured() const { return structured_.get(); }
  RowView<T> row(std::size_t i) const override;
  const T* contiguous() const override { return sparse() ? nullptr : values_.data(); }
  const IntegerRows* integers() const override { return integers_.get(); }
  const std::shared_ptr<const IntegerRows>& shared_integers() const { return integers_; }

  /// Memory held, in bytes.
  std::size_t bytes() const {
    return values_.size() * sizeof(T) + offsets_.size() * sizeof(std::size_t) +
           (indices_.size() + bits_.size() + labels_.size()) * sizeof(std::uint32_t) +
           (real_.targets.size() + real_.truth.size()) * sizeof(double) + (structured_ ? structured_->bytes() : 0) +
           (integers_ ? integers_->bytes() : 0);
  }

  bool non_negative() const override { return non_negative_; }
  bool zero_one() const override { return zero_one_; }
  /// 32-bit words per row mask.
  std::size_t bit_words() const { return (features_ + 31) / 32; }
  const std::uint32_t* bits(std::size_t i) const override { return bits_.data() + i * bit_words(); }

 private:
  void RequireLabelRange() const;
  Examples(std::size_t features, Shared<T> values, std::vector<std::size_t> offsets,
           Shared<std::uint32_t> indices, std::vector<std::int32_t> labels, LabelKind kind, int classes,
           RealTargets real = {});

  std::size_t features_ = 0;
  Shared<T> values_;
  std::vector<std::size_t> offsets_;
  Shared<std::uint32_t> indices_;
  std::vector<std::int32_t> labels_;
  RealTargets real_;
  std::shared_ptr<const StructuredInputs> structured_;
  std::vector<std::uint32_t> bits_;
  std::shared_ptr<const IntegerRows> integers_;
  LabelKind kind_ = LabelKind::kBinary;
  int classes_ = 2;
  bool non_negative_ = true;
  bool zero_one_ = false;
};

/// The row indices of a set.
template <class T>
std::vector<std::uint32_t> AllRows(const Examples<T>& set) {
  std::vector<std::uint32_t> rows(set.size());
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

extern template class Examples<float>;
extern template class Examples<double>;

}  // namespace okbench
