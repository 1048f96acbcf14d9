#include "learners/core/examples.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "learners/core/error.h"

namespace okbench {

const char* LabelKindName(LabelKind kind) {
  static const char* const kNames[] = {"binary", "multiclass", "real"};
  return kNames[static_cast<int>(kind)];
}

void RequireLabels(const std::string& method, LabelKind needed, LabelKind have) {
  if (needed == have) return;
  std::string message = method + " needs " + LabelKindName(needed) + " labels, but the data has " +
                        LabelKindName(have) + " ones";
  if (needed == LabelKind::kBinary && have == LabelKind::kMulticlass)
    message += "; data.positive says which classes become +1";
  throw InvalidArgument(message);
}

template <class T>
Examples<T> Examples<T>::Dense(std::size_t features, std::vector<T> values, std::vector<std::int32_t> labels,
                               LabelKind kind, int classes) {
  if (values.size() != features * labels.size())
    throw InvalidArgument("dense examples: " + std::to_string(values.size()) + " values for " +
                          std::to_string(labels.size()) + " rows of " + std::to_string(features) +
                          " features");
  return Examples(features, std::move(values), {}, {}, std::move(labels), kind, classes);
}

template <class T>
Examples<T> Examples<T>::Sparse(std::size_t features, std::vector<std::size_t> offsets,
                                std::vector<std::uint32_t> indices, std::vector<T> values,
                                std::vector<std::int32_t> labels, LabelKind kind, int classes) {
  if (offsets.size() != labels.size() + 1 || indices.size() != values.size() ||
      offsets.back() != values.size())
    throw InvalidArgument("sparse examples: offsets, indices, values and labels disagree in size");
  if (offsets.front() != 0 || !std::is_sorted(offsets.begin(), offsets.end()))
    throw InvalidArgument("sparse examples: offsets must begin with 0 and not decrease");
  for (std::size_t i = 0; i < labels.size(); ++i)
    for (std::size_t j = offsets[i]; j < offsets[i + 1]; ++j)
      if (indices[j] >= features || (j > offsets[i] && indices[j] <= indices[j - 1]))
        throw InvalidArgument("sparse examples: row " + std::to_string(i) +
                              " has an index that is out of range or not increasing");
  return Examples(features, std::move(values), std::move(offsets), std::move(indices), std::move(labels),
                  kind, classes);
}

template <class T>
Examples<T> Examples<T>::Regression(std::size_t features, std::vector<T> values, RealTargets targets) {
  const std::size_t rows = targets.targets.size();
  if (values.size() != features * rows || (!targets.truth.empty() && targets.truth.size() != rows))
    throw InvalidArgument("regression examples: values, targets and truth disagree in size");
  for (const auto* list : {&targets.targets, &targets.truth})
    for (const double target : *list)
      if (!std::isfinite(target)) throw InvalidArgument("examples: a target is not finite");
  return Examples(features, std::move(values), {}, {}, std::vector<std::int32_t>(rows, 0), LabelKind::kReal,
                  0, std::move(targets));
}

template <class T>
Examples<T> Examples<T>::Subset(std::span<const std::uint32_t> rows) const {
  std::vector<T> values;
  std::vector<std::size_t> offsets;
  std::vector<std::uint32_t> indices;
  std::vector<std::int32_t> labels;
  RealTargets real;
  if (sparse()) offsets.push_back(0);
  for (const std::uint32_t i : rows) {
    if (i >= size())
      throw InvalidArgument("examples: there is no row " + std::to_string(i) + " of " +
                            std::to_string(size()));
    const RowView<T> r = row(i);
    values.insert(values.end(), r.values, r.values + r.count);
    if (sparse()) {
      indices.insert(indices.end(), r.indices, r.indices + r.count);
      offsets.push_back(values.size());
    }
    labels.push_back(label(i));
    if (!real_.targets.empty()) real.targets.push_back(real_.targets[i]);
    if (!real_.truth.empty()) real.truth.push_back(real_.truth[i]);
  }
  return Examples(features_, std::move(values), std::move(offsets), std::move(indices), std::move(labels),
                  kind_, classes_, std::move(real));
}

template <class T>
RowView<T> Examples<T>::row(std::size_t i) const {
  if (!sparse()) return {values_.data() + i * features_, nullptr, features_};
  return {values_.data() + offsets_[i], indices_.data() + offsets_[i], offsets_[i + 1] - offsets_[i]};
}

template <class T>
Examples<T>::Examples(std::size_t features, std::vector<T> values, std::vector<std::size_t> offsets,
                      std::vector<std::uint32_t> indices, std::vector<std::int32_t> labels, LabelKind kind,
                      int classes, RealTargets real)
    : features_(features),
      values_(std::move(values)),
      offsets_(std::move(offsets)),
      indices_(std::move(indices)),
      labels_(std::move(labels)),
      real_(std::move(real)),
      kind_(kind),
      classes_(classes) {
  if (kind_ != LabelKind::kReal && classes_ < 2) throw InvalidArgument("examples need at least 2 classes");
  for (std::size_t i = 0; i < labels_.size() && kind_ != LabelKind::kReal; ++i) {
    const bool fits = kind_ == LabelKind::kBinary ? labels_[i] == -1 || labels_[i] == 1
                                                  : labels_[i] >= 0 && labels_[i] < classes_;
    if (!fits)
      throw InvalidArgument("label " + std::to_string(labels_[i]) + " of row " + std::to_string(i) +
                            " is out of range");
  }
  bool zero_one = !values_.empty();
  for (const T v : values_) {
    if (!std::isfinite(v)) throw InvalidArgument("examples: a value is not finite");
    non_negative_ = non_negative_ && v >= 0;
    zero_one = zero_one && (v == 0 || v == 1);
  }
  zero_one_ = zero_one;
  if (!zero_one_) return;
  bits_.assign(size() * bit_words(), 0);
  for (std::size_t i = 0; i < size(); ++i) {
    const RowView<T> r = row(i);
    for (std::size_t j = 0; j < r.count; ++j) {
      const std::size_t f = r.indices ? r.indices[j] : j;
      if (r.values[j] != 0) bits_[i * bit_words() + f / 32] |= std::uint32_t{1} << (f % 32);
    }
  }
}

template class Examples<float>;
template class Examples<double>;

}  // namespace okbench
