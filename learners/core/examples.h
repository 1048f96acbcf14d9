#pragma once
// Examples: the rows of a data set, with labels or targets.
//
// Rows are dense (row-major) or sparse (compressed rows). The storage affects speed only: kernel values have
// the same bits for both. If every value is 0 or 1 and rows are not wide, a bit mask per row is stored too.
// Rows declared as integers (IntegerRows) also store these integers. Both allow exact integer dot products.
//
// Immutable after construction, hence thread-safe. Owns or borrows its values; copies share them.

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

#include "learners/core/archive.h"
#include "learners/core/row_source.h"

namespace Eigen {
template <class Derived>
struct EigenBase;
}  // namespace Eigen

namespace okbench {

/// The meaning of an example's label.
enum class LabelKind {
  kBinary,      ///< -1 or +1
  kMulticlass,  ///< class index 0 .. classes-1
  kReal,        ///< no label; the target is a real number
  kStructured,  ///< no label; inputs and targets are objects of a component (StructuredInputs)
};

/// "binary", "multiclass", "real" or "structured".
const char* LabelKindName(LabelKind kind);

/// Throws InvalidArgument, naming `method`, unless `have` is one of `needed`.
void RequireLabels(const std::string& method, const std::vector<LabelKind>& needed, LabelKind have);

/// Regression targets, one per row.
struct RealTargets {
  std::vector<double> targets;  ///< observed targets, used by learners
  std::vector<double> truth;    ///< noise-free targets; empty if unknown
};

/// An immutable list that is either owned or borrowed. Copies share the values.
template <class T>
class Shared {
 public:
  Shared() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): implicit conversion from a vector is intended
  Shared(std::vector<T> values) {
    auto owner = std::make_shared<const std::vector<T>>(std::move(values));
    view_ = *owner;
    owner_ = std::move(owner);
  }
  Shared(std::initializer_list<T> values) : Shared(std::vector<T>(values)) {}
  /// Borrows `values`; `owner` keeps them alive and is released with the last copy.
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

/// Inputs that are not feature rows, one per example. A component derives from this class and defines what
/// its learners see. Immutable.
class StructuredInputs {
 public:
  virtual ~StructuredInputs() = default;
  virtual std::size_t size() const = 0;
  /// Memory held, in bytes.
  virtual std::size_t bytes() const = 0;
  /// Calls `update` with every byte that a learner can see, in a fixed order.
  virtual void Hash(const std::function<void(const void*, std::size_t)>& update) const = 0;
  /// A copy restricted to the given inputs, in the given order. REQUIRES: every row < size().
  virtual std::shared_ptr<const StructuredInputs> Subset(std::span<const std::uint32_t> rows) const = 0;
};

template <class T>
class Examples final : public RowSource<T> {
 public:
  /// Dense rows. `values` has rows * features entries, row-major. Throws InvalidArgument if sizes disagree, a
  /// value is not finite, or a label is out of range.
  static Examples Dense(std::size_t features, Shared<T> values, std::vector<std::int32_t> labels,
                        LabelKind kind, int classes);

  /// Dense rows copied from an Eigen matrix (Ref, Matrix, Map, ...) with one row per example. The functions
  /// that take or return Eigen types are defined in learners/core/eigen_examples.h.
  template <class Rows>
  static Examples Dense(const Eigen::EigenBase<Rows>& rows, std::vector<std::int32_t> labels, LabelKind kind,
                        int classes);

  /// Sparse rows: row i has the entries offsets[i] .. offsets[i+1]-1. Indices start at 0 and increase
  /// strictly within a row. Throws InvalidArgument like Dense, or if offsets or indices are invalid.
  static Examples Sparse(std::size_t features, std::vector<std::size_t> offsets,
                         Shared<std::uint32_t> indices, Shared<T> values, std::vector<std::int32_t> labels,
                         LabelKind kind, int classes);

  /// Sparse rows copied from an Eigen sparse matrix with one row per example.
  template <class Rows>
  static Examples Sparse(const Eigen::EigenBase<Rows>& rows, std::vector<std::int32_t> labels, LabelKind kind,
                         int classes);

  /// Dense rows with real targets. Throws InvalidArgument like Dense, or if a target is not finite.
  static Examples Regression(std::size_t features, Shared<T> values, RealTargets targets);

  /// Rows without labels, e.g. queries or support vectors: sparse if `offsets` is not empty, else dense.
  /// Throws InvalidArgument like Dense and Sparse.
  static Examples Unlabelled(std::size_t rows, std::size_t features, Shared<T> values,
                             std::vector<std::size_t> offsets = {}, Shared<std::uint32_t> indices = {});
  /// The same rows with other labels. Throws InvalidArgument like Dense.
  Examples WithLabels(std::vector<std::int32_t> labels, LabelKind kind, int classes) const;
  /// The same rows with real targets. REQUIRES: the rows come from Unlabelled(). Throws InvalidArgument like
  /// Regression.
  Examples WithTargets(RealTargets targets) const;

  /// The same rows with weights: learners multiply the loss of example i by weights[i]. Empty: all are 1.
  /// Throws InvalidArgument if the number of weights is wrong, or a weight is not a finite number > 0.
  Examples WithWeights(std::vector<double> weights) const;

  /// The same dense rows with the integers that they are computed from (null removes them). Throws
  /// InvalidArgument if sizes disagree or the rows are sparse.
  Examples WithIntegers(std::shared_ptr<const IntegerRows> whole) const;

  /// Dense rows with real targets, copied from an Eigen matrix.
  template <class Rows>
  static Examples Regression(const Eigen::EigenBase<Rows>& rows, RealTargets targets);

  /// Examples without features or labels, one per input. REQUIRES: `inputs` is not null.
  static Examples Structured(std::shared_ptr<const StructuredInputs> inputs);

  /// Concatenates copies of two sets. Throws InvalidArgument if features, label kind, classes or storage
  /// differ, if only one has integers, or for structured inputs.
  static Examples Join(const Examples& first, const Examples& second);

  /// A copy of the given rows, in the given order. Throws InvalidArgument for a row out of range.
  Examples Subset(std::span<const std::uint32_t> rows) const;

  /// The same examples with more features, which are 0 in every row. REQUIRES: no integers. Throws
  /// InvalidArgument if `added.at` is beyond the last feature.
  Examples WithFeatures(const AddedFeatures& added) const;

  std::size_t size() const override { return labels_.size(); }
  std::size_t features() const override { return features_; }
  bool sparse() const override { return !offsets_.empty(); }
  LabelKind label_kind() const { return kind_; }
  /// Number of classes: 2 for binary labels, 0 for real targets and structured inputs.
  int classes() const { return classes_; }
  std::int32_t label(std::size_t i) const { return labels_[i]; }
  /// One label per example; all 0 for real targets and structured inputs.
  std::span<const std::int32_t> labels() const { return labels_; }
  /// The value that a loss compares a score with: the label, or the real target.
  double target(std::size_t i) const {
    return kind_ == LabelKind::kReal ? real_.targets[i] : static_cast<double>(labels_[i]);
  }
  /// The noise-free target if it is known, else target(i).
  double truth(std::size_t i) const { return real_.truth.empty() ? target(i) : real_.truth[i]; }
  /// Weight of the loss; 1 by default.
  double weight(std::size_t i) const { return weights_.empty() ? 1 : weights_[i]; }
  std::span<const double> weights() const { return weights_; }
  const RealTargets& real_targets() const { return real_; }
  /// The inputs of structured examples; null for other label kinds.
  const StructuredInputs* structured() const { return structured_.get(); }
  RowView<T> row(std::size_t i) const override {
    if (!sparse()) return {values_.data() + i * features_, nullptr, features_};
    return {values_.data() + offsets_[i], indices_.data() + offsets_[i], offsets_[i + 1] - offsets_[i]};
  }
  /// Loads the first and the last cache line of a row into the processor's cache. Always inlined, because
  /// GCC drops calls of functions that only prefetch.
  [[gnu::always_inline]] void Prefetch(std::size_t i) const {
    const RowView<T> ahead = row(i);
    __builtin_prefetch(ahead.values);
    const std::size_t last = ahead.count > 0 ? ahead.count - 1 : 0;
    __builtin_prefetch(ahead.values + last);
    if (ahead.indices == nullptr) return;
    __builtin_prefetch(ahead.indices);
    __builtin_prefetch(ahead.indices + last);
  }
  NormCache<T>* norm_cache() const override { return norms_.get(); }
  const T* contiguous() const override { return sparse() ? nullptr : values_.data(); }
  const IntegerRows* integers() const override { return integers_.get(); }
  const std::shared_ptr<const IntegerRows>& shared_integers() const { return integers_; }

  /// Memory held, in bytes.
  std::size_t bytes() const {
    return values_.size() * sizeof(T) + offsets_.size() * sizeof(std::size_t) +
           (indices_.size() + bits_.size() + labels_.size()) * sizeof(std::uint32_t) +
           (real_.targets.size() + real_.truth.size() + weights_.size()) * sizeof(double) +
           (structured_ ? structured_->bytes() : 0) + (integers_ ? integers_->bytes() : 0);
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
  std::vector<double> weights_;
  std::shared_ptr<const StructuredInputs> structured_;
  std::vector<std::uint32_t> bits_;
  std::shared_ptr<const IntegerRows> integers_;
  std::shared_ptr<NormCache<T>> norms_ = std::make_shared<NormCache<T>>();  // copies have the same rows
  LabelKind kind_ = LabelKind::kBinary;
  int classes_ = 2;
  bool non_negative_ = true;
  bool zero_one_ = false;
};

/// The indices 0 .. set.size() - 1.
template <class T>
std::vector<std::uint32_t> AllRows(const Examples<T>& set) {
  std::vector<std::uint32_t> rows(set.size());
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

extern template class Examples<float>;
extern template class Examples<double>;

}  // namespace okbench
