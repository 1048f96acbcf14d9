#include "learners/bases/training_rows.h"

#include <algorithm>

#include "learners/support/columns.h"

namespace okbench {

template <class T>
TrainingRows<T>::TrainingRows(const TrainingRowsOptions& options, const LearnerContext<T>& context)
    : TaskLearner<T>(options, context),
      blocks_(PackAll(this->engine_, this->train_, static_cast<const RowSource<T>*>(nullptr))),
      rows_(this->engine_, blocks_, this->train_, options.cache_mib << 20),
      stride_(PaddedColumn(blocks_.slots())),
      columns_(this->outputs() * stride_, 0.0),
      coefficients_(this->outputs() * context.train->size(), 0.0),
      scratch_(blocks_.slots()),
      all_(AllRows(*context.train)),
      place_(context.train->size(), kNone) {}

template <class T>
void TrainingRows<T>::SetCoefficients(std::uint32_t i, std::span<const double> values) {
  bool any = false;
  for (std::size_t r = 0; r < values.size(); ++r) {
    columns_[r * stride_ + i] = coefficients_[r * this->size() + i] = values[r];
    any = any || values[r] != 0;
  }
  if (any == (place_[i] != kNone)) return;
  if (any) {
    place_[i] = static_cast<std::uint32_t>(support_.size());
    support_.push_back(i);
    return;
  }
  // Moves the last support vector to the freed place.
  support_[place_[i]] = support_.back();
  place_[support_.back()] = place_[i];
  support_.pop_back();
  place_[i] = kNone;
}

template <class T>
void TrainingRows<T>::Scores(std::uint32_t i, std::span<double> f) {
  ops_.WeightedSums(rows_.Row(i), blocks_.blocks(), columns_.data(), stride_, this->outputs(),
                    scratch_.data(), f.data());
  this->task_->OutputProducts(f, f);
}

Cost TrainingRowsCost(const Workload& work, std::size_t cache_mib, double sums) {
  const auto training = static_cast<double>(work.training), n = static_cast<double>(work.examples);
  const auto outputs = static_cast<double>(work.outputs);
  const std::uint64_t all_rows = work.training * work.training * work.value_bytes;
  const bool fits = all_rows <= std::uint64_t{cache_mib} << 20;
  Cost cost;
  cost.vectors = training / 2;
  cost.requested = work.examples * work.training / 2;
  cost.computed = fits ? training * training : n * training;
  cost.multiply_adds = sums * n * training * outputs;
  cost.streamed_bytes = n * training * static_cast<double>(work.value_bytes);
  cost.incremental_scores = true;
  cost.bytes = std::min<std::uint64_t>(std::uint64_t{cache_mib} << 20, all_rows) +
               work.training * (work.row_bytes + 16 * work.outputs + 64);
  return cost;
}

template class TrainingRows<float>;
template class TrainingRows<double>;

}  // namespace okbench
