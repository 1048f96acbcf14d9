#include "learners/core/examples.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/error.h"

namespace okbench {

const char* LabelKindName(LabelKind kind) {
  static const char* const kNames[] = {"binary", "multiclass", "real", "structured"};
  return kNames[static_cast<int>(kind)];
}

void RequireLabels(const std::string& method, const std::vector<LabelKind>& needed, LabelKind have) {
  if (std::find(needed.begin(), needed.end(), have) != needed.end()) return;
  std::string names;
  for (const LabelKind kind : needed)
    names += (names.empty() ? "" : " or ") + std::string(LabelKindName(kind));
  throw InvalidArgument(method + " needs " + names + " labels, but the data has " + LabelKindName(have) +
                        " ones");
}

template <class T>
Examples<T> Examples<T>::Dense(std::size_t features, Shared<T> values, std::vector<std::int32_t> labels,
                               LabelKind kind, int classes) {
  if (values.size() != features * labels.size())
    throw InvalidArgument("dense examples: " + std::to_string(values.size()) + " values for " +
                          std::to_string(labels.size()) + " rows of " + std::to_string(features) +
                          " features");
  return Examples(features, std::move(values), {}, {}, std::move(labels), kind, classes);
}

template <class T>
Examples<T> Examples<T>::Sparse(std::size_t features, std::vector<std::size_t> offsets,
                                Shared<std::uint32_t> indices, Shared<T> values,
                                std::vector<std::int32_t> labels, LabelKind kind, int classes) {
  if (offsets.size() != labels.size() + 1 || indices.size() != values.size() ||
      offsets.back() != values.size())
    throw InvalidArgument("sparse examples: offsets, indices, values and labels disagree in size");
  if (offsets.front() != 0 || !std::is_sorted(offsets.begin(), offsets.end()))
    throw InvalidArgument("sparse examples: offsets must begin with 0 and must not decrease");
  for (std::size_t i = 0; i < labels.size(); ++i)
    for (std::size_t j = offsets[i]; j < offsets[i + 1]; ++j)
      if (indices[j] >= features || (j > offsets[i] && indices[j] <= indices[j - 1]))
        throw InvalidArgument("sparse examples: row " + std::to_string(i) +
                              " has an index that is out of range or not increasing");
  return Examples(features, std::move(values), std::move(offsets), std::move(indices), std::move(labels),
                  kind, classes);
}

template <class T>
Examples<T> Examples<T>::Unlabelled(std::size_t rows, std::size_t features, Shared<T> values,
                                    std::vector<std::size_t> offsets, Shared<std::uint32_t> indices) {
  std::vector<std::int32_t> labels(rows, 0);
  if (offsets.empty()) return Dense(features, std::move(values), std::move(labels), LabelKind::kReal, 0);
  return Sparse(features, std::move(offsets), std::move(indices), std::move(values), std::move(labels),
                LabelKind::kReal, 0);
}

template <class T>
Examples<T> Examples<T>::WithTargets(RealTargets targets) const {
  const std::size_t rows = targets.targets.size();
  if (rows != size() || (!targets.truth.empty() && targets.truth.size() != rows))
    throw InvalidArgument("regression examples: values, targets and truth disagree in size");
  for (const auto* list : {&targets.targets, &targets.truth})
    for (const double target : *list)
      if (!std::isfinite(target)) throw InvalidArgument("examples: a target is not finite");
  Examples with = *this;
  with.kind_ = LabelKind::kReal;
  with.real_ = std::move(targets);
  return with;
}

template <class T>
Examples<T> Examples<T>::WithLabels(std::vector<std::int32_t> labels, LabelKind kind, int classes) const {
  if (labels.size() != size())
    throw InvalidArgument("examples: " + std::to_string(labels.size()) + " labels for " +
                          std::to_string(size()) + " rows");
  Examples with = *this;
  with.labels_ = std::move(labels);
  with.kind_ = kind;
  with.classes_ = classes;
  with.real_ = {};
  with.RequireLabelRange();
  return with;
}

template <class T>
Examples<T> Examples<T>::WithWeights(std::vector<double> weights) const {
  if (!weights.empty() && weights.size() != size())
    throw InvalidArgument("examples: " + std::to_string(weights.size()) + " weights for " +
                          std::to_string(size()) + " rows");
  for (const double weight : weights)
    if (!std::isfinite(weight) || weight <= 0) throw InvalidArgument("a weight is not a number > 0");
  Examples with = *this;
  with.weights_ = std::move(weights);
  return with;
}

template <class T>
Examples<T> Examples<T>::Regression(std::size_t features, Shared<T> values, RealTargets targets) {
  const std::size_t rows = features > 0 ? values.size() / features : 0;
  if (values.size() != features * rows)
    throw InvalidArgument("regression examples: values, targets and truth disagree in size");
  return Unlabelled(rows, features, std::move(values)).WithTargets(std::move(targets));
}

template <class T>
Examples<T> Examples<T>::Structured(std::shared_ptr<const StructuredInputs> inputs) {
  Examples examples(0, {}, {}, {}, std::vector<std::int32_t>(inputs->size(), 0), LabelKind::kStructured, 0);
  examples.structured_ = std::move(inputs);
  return examples;
}

template <class T>
Examples<T> Examples<T>::WithIntegers(std::shared_ptr<const IntegerRows> integer_rows) const {
  if (integer_rows && (sparse() || integer_rows->size() != size() || integer_rows->features() != features_))
    throw InvalidArgument("examples: integers do not match the rows");
  Examples with = *this;
  with.integers_ = std::move(integer_rows);
  return with;
}

template <class T>
Examples<T> Examples<T>::Join(const Examples& first, const Examples& second) {
  if (first.features_ != second.features_ || first.kind_ != second.kind_ ||
      first.classes_ != second.classes_ || first.sparse() != second.sparse() ||
      first.kind_ == LabelKind::kStructured)
    throw InvalidArgument(
        "examples: cannot join sets that differ in features, label kind, classes or storage");
  const auto joined = [](auto values, const auto& more) {
    values.insert(values.end(), more.begin(), more.end());
    return values;
  };
  const auto list = [](const auto& values) { return std::vector(values.begin(), values.end()); };
  std::vector<std::size_t> offsets = first.offsets_;
  for (std::size_t i = 1; i < second.offsets_.size(); ++i)
    offsets.push_back(first.values_.size() + second.offsets_[i]);
  Examples both(
      first.features_, joined(list(first.values_), second.values_), std::move(offsets),
      joined(list(first.indices_), second.indices_), joined(first.labels_, second.labels_), first.kind_,
      first.classes_,
      {joined(first.real_.targets, second.real_.targets), joined(first.real_.truth, second.real_.truth)});
  if (!first.weights_.empty() || !second.weights_.empty())
    for (const Examples* part : {&first, &second})
      for (std::size_t i = 0; i < part->size(); ++i) both.weights_.push_back(part->weight(i));
  if ((first.integers_ == nullptr) != (second.integers_ == nullptr))
    throw InvalidArgument("examples: cannot join rows with integers and rows without");
  if (!first.integers_) return both;
  auto integer_rows = std::make_shared<IntegerRows>(first.integers_->scale(), first.features_);
  for (const IntegerRows* part : {first.integers_.get(), second.integers_.get()})
    for (std::size_t i = 0; i < part->size(); ++i) integer_rows->Add(*part, i);
  both.integers_ = std::move(integer_rows);
  return both;
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
      throw InvalidArgument("examples: row " + std::to_string(i) + " is out of range: there are " +
                            std::to_string(size()));
    labels.push_back(label(i));
    if (structured_) continue;
    const RowView<T> r = row(i);
    values.insert(values.end(), r.values, r.values + r.count);
    if (sparse()) {
      indices.insert(indices.end(), r.indices, r.indices + r.count);
      offsets.push_back(values.size());
    }
    if (!real_.targets.empty()) real.targets.push_back(real_.targets[i]);
    if (!real_.truth.empty()) real.truth.push_back(real_.truth[i]);
  }
  Examples subset(features_, std::move(values), std::move(offsets), std::move(indices), std::move(labels),
                  kind_, classes_, std::move(real));
  if (structured_) subset.structured_ = structured_->Subset(rows);
  if (!weights_.empty())
    for (const std::uint32_t i : rows) subset.weights_.push_back(weights_[i]);
  if (!integers_) return subset;
  auto integer_rows = std::make_shared<IntegerRows>(integers_->scale(), features_);
  for (const std::uint32_t i : rows) integer_rows->Add(*integers_, i);
  subset.integers_ = std::move(integer_rows);
  return subset;
}

template <class T>
Examples<T> Examples<T>::WithFeatures(const AddedFeatures& added) const {
  if (added.at > features_)
    throw InvalidArgument("examples: features added at " + std::to_string(added.at) + " of " +
                          std::to_string(features_));
  const bool compressed = added.sparse || sparse();
  const std::size_t features = features_ + added.count;
  std::vector<T> values(compressed ? 0 : size() * features, T(0));
  std::vector<std::size_t> offsets;
  std::vector<std::uint32_t> indices;
  if (compressed) offsets.push_back(0);
  for (std::size_t i = 0; i < size(); ++i) {
    const RowView<T> from = row(i);
    for (std::size_t j = 0; j < from.count; ++j) {
      const std::size_t old = from.indices != nullptr ? from.indices[j] : j;
      const std::size_t place = old < added.at ? old : old + added.count;
      if (!compressed) {
        values[i * features + place] = from.values[j];
      } else if (from.values[j] != 0) {
        values.push_back(from.values[j]);
        indices.push_back(static_cast<std::uint32_t>(place));
      }
    }
    if (compressed) offsets.push_back(values.size());
  }
  Examples wider(features, std::move(values), std::move(offsets), std::move(indices), labels_, kind_,
                 classes_, real_);
  wider.weights_ = weights_;
  return wider;
}

template <class T>
Examples<T>::Examples(std::size_t features, Shared<T> values, std::vector<std::size_t> offsets,
                      Shared<std::uint32_t> indices, std::vector<std::int32_t> labels, LabelKind kind,
                      int classes, RealTargets real)
    : features_(features),
      values_(std::move(values)),
      offsets_(std::move(offsets)),
      indices_(std::move(indices)),
      labels_(std::move(labels)),
      real_(std::move(real)),
      kind_(kind),
      classes_(classes) {
  RequireLabelRange();
  // Branch-free, so that the compiler vectorises the loop.
  unsigned wild = 0, negative = 0, other = 0;
  for (const T v : values_) {
    wild |= static_cast<unsigned>(!(v - v == 0));
    negative |= static_cast<unsigned>(!(v >= 0));
    other |= static_cast<unsigned>(v != 0) & static_cast<unsigned>(v != 1);
  }
  if (wild != 0) throw InvalidArgument("examples: a value is not finite");
  non_negative_ = negative == 0;
  zero_one_ = other == 0 && !values_.empty() && !IsWide<T>(*this);
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

template <class T>
void Examples<T>::RequireLabelRange() const {
  const bool labelled = kind_ == LabelKind::kBinary || kind_ == LabelKind::kMulticlass;
  if (labelled && classes_ < 2) throw InvalidArgument("examples need at least 2 classes");
  for (std::size_t i = 0; i < labels_.size() && labelled; ++i) {
    const bool fits = kind_ == LabelKind::kBinary ? labels_[i] == -1 || labels_[i] == 1
                                                  : labels_[i] >= 0 && labels_[i] < classes_;
    if (!fits)
      throw InvalidArgument("label " + std::to_string(labels_[i]) + " of row " + std::to_string(i) +
                            " is out of range");
  }
}

template class Examples<float>;
template class Examples<double>;

}  // namespace okbench
