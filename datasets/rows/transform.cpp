#include "datasets/rows/transform.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.h"

namespace okbench {
namespace {

// Integers of transformed values: n = value * set.integer_scale becomes times * n + plus. The transformed
// value is scale.scale times that.
struct IntegerMap {
  IntegerScale scale;
  int times = 1, plus = 0;
};

std::optional<IntegerMap> IntegerMapOf(const DataSet& set, const DataRequest& request) {
  if (set.integer_scale == 0) return std::nullopt;
  IntegerMap map;
  double factor = 1, plus = 0;
  if (request.scale) {
    factor = (request.scale->high - request.scale->low) / (set.high - set.low);
    plus = set.integer_scale * (request.scale->low / factor - set.low);
  }
  // If the transformed 0 lies halfway between two integers, double all integers.
  if (plus != std::nearbyint(plus)) map.times = 2;
  plus *= map.times;
  if (plus != std::nearbyint(plus) || !(std::fabs(plus) < 0x1p30)) return std::nullopt;
  map.plus = static_cast<int>(plus);
  const auto number = [&](double value) { return map.times * value * set.integer_scale + map.plus; };
  if (!(std::fabs(number(set.low)) < 0x1p30) || !(std::fabs(number(set.high)) < 0x1p30)) return std::nullopt;
  map.scale = {.scale = request.unit_norm ? 1 : factor / (set.integer_scale * map.times),
               .unit_norm = request.unit_norm,
               .low = static_cast<std::int32_t>(number(set.low)),
               .high = static_cast<std::int32_t>(number(set.high))};
  if (!map.scale.Fits(set.features)) return std::nullopt;
  return map;
}

}  // namespace

std::optional<IntegerScale> IntegerScaleOf(const DataSet& set, const DataRequest& request) {
  const auto map = IntegerMapOf(set, request);
  return map ? std::optional(map->scale) : std::nullopt;
}

template <class T>
std::shared_ptr<const IntegerRows> IntegerRowsOf(const DataSet& set, const DataRequest& request,
                                                 const RawRows<T>& rows) {
  const auto map = IntegerMapOf(set, request);
  if (!map) return nullptr;
  auto whole = std::make_shared<IntegerRows>(map->scale, rows.features);
  std::vector<std::int32_t> numbers(rows.features);
  for (std::size_t i = 0; i < rows.labels.size(); ++i) {
    const T* const values = rows.values.data() + i * rows.features;
    // Branch-free, so that the compiler vectorises it.
    unsigned other = 0;
    for (std::size_t j = 0; j < rows.features; ++j) {
      const double value = static_cast<double>(values[j]);
      other |= static_cast<unsigned>(!(value >= set.low)) | static_cast<unsigned>(!(value <= set.high));
    }
    for (std::size_t j = 0; j < rows.features && other == 0; ++j) {
      const double n = std::nearbyint(static_cast<double>(values[j]) * set.integer_scale);
      other |= static_cast<unsigned>(static_cast<T>(n / set.integer_scale) != values[j]);
      numbers[j] = map->times * static_cast<std::int32_t>(n) + map->plus;
    }
    if (other != 0)
      throw DataError("data set '" + set.name + "': row " + std::to_string(i) +
                      " has a value outside the catalog's range or not a multiple of 1/" +
                      std::to_string(set.integer_scale));
    whole->Add(numbers);
  }
  return whole;
}

template <class T>
void Densify(RawRows<T>& rows) {
  std::vector<T> dense(rows.labels.size() * rows.features, T(0));
  for (std::size_t i = 0; i < rows.labels.size(); ++i)
    for (std::size_t j = rows.offsets[i]; j < rows.offsets[i + 1]; ++j)
      dense[i * rows.features + rows.indices[j]] = rows.values[j];
  rows.values = std::move(dense);
  rows.offsets.clear();
  rows.indices.clear();
}

template <class T>
void Append(RawRows<T>& rows, RawRows<T> more) {
  if (rows.sparse() != more.sparse()) {
    if (rows.sparse()) Densify(rows);
    if (more.sparse()) Densify(more);
  }
  const std::size_t base = rows.values.size();
  rows.values.insert(rows.values.end(), more.values.begin(), more.values.end());
  rows.indices.insert(rows.indices.end(), more.indices.begin(), more.indices.end());
  for (std::size_t i = 1; i < more.offsets.size(); ++i) rows.offsets.push_back(base + more.offsets[i]);
  rows.labels.insert(rows.labels.end(), more.labels.begin(), more.labels.end());
  rows.real.targets.insert(rows.real.targets.end(), more.real.targets.begin(), more.real.targets.end());
  rows.real.truth.insert(rows.real.truth.end(), more.real.truth.begin(), more.real.truth.end());
}

template <class T>
void Transform(const DataSet& set, const DataRequest& request, RawRows<T>& rows) {
  if (request.scale) {
    const double low = request.scale->low;
    const double factor = (request.scale->high - low) / (set.high - set.low);
    // If the map moves 0, entries that are not stored become nonzero.
    if (rows.sparse() && std::fma(-set.low, factor, low) != 0) Densify(rows);
    for (T& v : rows.values) v = static_cast<T>(std::fma(static_cast<double>(v) - set.low, factor, low));
  }
  if (!request.unit_norm) return;
  for (std::size_t i = 0; i < rows.labels.size(); ++i) {
    const std::size_t first = rows.sparse() ? rows.offsets[i] : i * rows.features;
    const std::size_t last = rows.sparse() ? rows.offsets[i + 1] : first + rows.features;
    double sum = 0;
    for (std::size_t j = first; j < last; ++j)
      sum = std::fma(static_cast<double>(rows.values[j]), static_cast<double>(rows.values[j]), sum);
    const double norm = std::sqrt(sum);
    if (norm > 0)
      for (std::size_t j = first; j < last; ++j) rows.values[j] = static_cast<T>(rows.values[j] / norm);
  }
}

std::vector<std::int32_t> FinalLabels(const DataSet& set, const DataRequest& request,
                                      std::vector<std::int32_t> classes) {
  if (request.positive.empty() && set.kind != LabelKind::kBinary) return classes;
  std::vector<bool> positive(set.labels.size(), false);
  if (request.positive.empty()) positive[1] = true;
  for (const int c : request.positive) {
    if (c < 0 || static_cast<std::size_t>(c) >= positive.size())
      throw DataError("data set '" + set.name + "' has no class " + std::to_string(c));
    positive[static_cast<std::size_t>(c)] = true;
  }
  if (std::all_of(positive.begin(), positive.end(), [](bool is_positive) { return is_positive; }))
    throw DataError("data.positive names every class of '" + set.name + "', so one class is left");
  for (auto& label : classes) label = positive[static_cast<std::size_t>(label)] ? 1 : -1;
  return classes;
}

template void Densify<float>(RawRows<float>&);
template void Append<float>(RawRows<float>&, RawRows<float>);
template std::shared_ptr<const IntegerRows> IntegerRowsOf<float>(const DataSet&, const DataRequest&,
                                                                 const RawRows<float>&);
template std::shared_ptr<const IntegerRows> IntegerRowsOf<double>(const DataSet&, const DataRequest&,
                                                                  const RawRows<double>&);
template void Transform<float>(const DataSet&, const DataRequest&, RawRows<float>&);
template void Densify<double>(RawRows<double>&);
template void Append<double>(RawRows<double>&, RawRows<double>);
template void Transform<double>(const DataSet&, const DataRequest&, RawRows<double>&);

}  // namespace okbench
