#include "learners/bases/mini_batch.h"

#include <algorithm>
#include <cmath>

namespace okbench {

template <class T>
void MiniBatch<T>::Load(std::span<const std::uint32_t> examples) {
  // A batch of another size (the last one of a pass) needs new blocks.
  if (!blocks_ || examples.size() != examples_.size()) blocks_ = engine_.MakeBlocks(*training_.examples);
  examples_.assign(examples.begin(), examples.end());
  labels_.clear();
  for (std::size_t i = 0; i < examples_.size(); ++i) {
    blocks_->Put(i, training_, examples_[i]);
    labels_.push_back(training_.examples->label(examples_[i]));
  }
  stride_ = blocks_->slots();
}

template <class T>
void MiniBatch<T>::Scores(std::span<const std::uint32_t> support, std::span<const double> coefficients,
                          std::size_t columns, std::span<double> scores) {
  sums_.assign(columns * stride_, 0.0);
  engine_.Accumulate(*blocks_, training_, support, coefficients.data(), columns, Purpose::kLearning, true,
                     sums_.data(), stride_);
  for (std::size_t c = 0; c < columns; ++c)
    std::copy_n(sums_.begin() + static_cast<std::ptrdiff_t>(c * stride_), size(),
                scores.begin() + static_cast<std::ptrdiff_t>(c * size()));
}

template <class T>
bool MiniBatch<T>::Gram(std::span<const std::uint32_t> chosen) {
  rows_.clear();
  for (const std::uint32_t i : chosen) rows_.push_back(examples_[i]);
  gram_.resize(chosen.size() * stride_);
  engine_.Rows(*blocks_, training_, rows_, Purpose::kLearning, false, gram_.data(), stride_);
  // k_ij = k_ji: only one triangle of the chosen examples is requested.
  if (!chosen.empty())
    engine_.CountRequested(rows_, rows_, std::uint64_t{chosen.size()} * (chosen.size() - 1) / 2);
  const bool weighted = !training_.examples->weights().empty();
  bool finite = true;
  for (std::size_t r = 0; r < chosen.size(); ++r) {
    T* row = gram_.data() + r * stride_;
    if (weighted)
      for (std::size_t j = 0; j < size(); ++j) row[j] *= static_cast<T>(weight(chosen[r]) * weight(j));
    for (std::size_t j = 0; j < size(); ++j) finite = finite && std::isfinite(row[j]);
  }
  return finite;
}

template <class T>
bool MiniBatch<T>::SignedGram(std::span<const std::uint32_t> chosen) {
  const bool finite = Gram(chosen);
  for (std::size_t r = 0; r < chosen.size(); ++r) {
    T* row = gram_.data() + r * stride_;
    for (std::size_t j = 0; j < size(); ++j)
      if (labels_[chosen[r]] != labels_[j]) row[j] = -row[j];
  }
  return finite;
}

Cost MiniBatchCost(const Workload& work, double share) {
  const std::uint64_t rounds = work.batch > 0 ? work.examples / work.batch : 0;
  const std::uint64_t growing = std::min(work.examples, work.training);
  // The support set grows until every training example has been drawn.
  const std::uint64_t scores = growing * growing / 2 + (work.examples - growing) * work.training;
  Cost cost;
  cost.requested = scores + rounds * work.batch * (work.batch + 1) / 2;
  const auto n = static_cast<double>(work.examples), training = static_cast<double>(work.training);
  // The support set grows fast at first: its mean size over a run is about two thirds of the final size.
  cost.vectors = share * std::min(n, training);
  cost.computed = n * (2.0 / 3 * cost.vectors + static_cast<double>(work.batch));
  // Includes the small quadratic program and a second expansion.
  cost.multiply_adds = 2 * cost.computed;
  cost.incremental_scores = true;
  cost.changes = share * n;
  cost.bytes = 2 * work.batch * (work.row_bytes + work.batch * work.value_bytes) + 64 * work.training;
  return cost;
}

template class MiniBatch<float>;
template class MiniBatch<double>;

}  // namespace okbench
