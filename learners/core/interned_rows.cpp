#include "learners/core/interned_rows.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/error.h"

namespace okbench {

template <class T>
InternedRows<T>::InternedRows(std::size_t features, bool non_negative, Features fill)
    : features_(features), non_negative_(non_negative), fill_(std::move(fill)) {
  if (features == 0) throw InvalidArgument("interned rows need at least 1 feature");
}

template <class T>
std::uint32_t InternedRows<T>::Row(const Pair& pair) {
  if (const auto place = places_.find(pair); place != places_.end()) return place->second;
  const std::size_t row = pairs_.size();
  if (row / kChunkRows == chunks_.size()) chunks_.push_back(std::make_unique<T[]>(kChunkRows * features_));
  const std::span<T> values(At(row), features_);
  std::fill(values.begin(), values.end(), T(0));
  fill_(pair, values);
  for (const T value : values)
    if (!std::isfinite(value) || (non_negative_ && value < 0))
      throw InvalidArgument("output " + std::to_string(pair.output) + " of example " +
                            std::to_string(pair.example) +
                            " has a feature that is not finite, or negative although declared >= 0");
  pairs_.push_back(pair);
  try {
    places_.emplace(pair, static_cast<std::uint32_t>(row));
  } catch (...) {
    pairs_.pop_back();
    throw;
  }
  return static_cast<std::uint32_t>(row);
}

template class InternedRows<float>;
template class InternedRows<double>;

}  // namespace okbench
