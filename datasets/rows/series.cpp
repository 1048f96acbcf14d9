#include "datasets/rows/series.h"

#include <algorithm>
#include <map>

#include "base/error.h"

namespace okbench {
namespace {

std::vector<double> Lorenz(std::size_t steps) {
  constexpr double kStep = 0.01, kSigma = 10, kRho = 28, kBeta = 8.0 / 3;
  double x = 10, y = 7, z = 35;
  std::vector<double> series;
  for (std::size_t t = 0; t < steps; ++t) {
    series.push_back(z);
    const double dx = kSigma * (y - x), dy = x * (kRho - z) - y, dz = x * y - kBeta * z;
    x += kStep * dx;
    y += kStep * dy;
    z += kStep * dz;
  }
  return series;
}

std::vector<double> MackeyGlass(std::size_t steps) {
  constexpr std::size_t kDelay = 300, kSample = 60, kTransient = 10000;  // in steps of 0.1
  constexpr double kStep = 0.1;
  std::vector<double> path(kDelay + 1, 0.9), series;
  while (series.size() < steps) {
    const std::size_t t = path.size() - 1;
    if (t >= kTransient && t % kSample == 0) series.push_back(path[t]);
    const double delayed = path[t - kDelay], squared = delayed * delayed;
    const double fourth = squared * squared, tenth = fourth * fourth * squared;
    path.push_back(path[t] + kStep * (0.2 * delayed / (1 + tenth) - 0.1 * path[t]));
  }
  return series;
}

}  // namespace

bool IsSeriesGenerator(const std::string& name) { return name == "lorenz" || name == "mackey-glass"; }

std::vector<double> GeneratedSeries(const std::string& name, std::size_t steps) {
  if (name == "lorenz") return Lorenz(steps);
  if (name == "mackey-glass") return MackeyGlass(steps);
  throw DataError("series '" + name + "' is unknown; known are lorenz and mackey-glass");
}

template <class T>
RawRows<T> Embed(const std::vector<double>& series, std::size_t inputs, std::size_t features,
                 std::size_t horizon, std::size_t first, std::size_t count) {
  const std::size_t length = features / inputs;
  RawRows<T> rows;
  rows.features = features;
  rows.labels.assign(count, 0);
  for (std::size_t t = first; t < first + count; ++t) {
    for (std::size_t i = 0; i < inputs; ++i)
      for (std::size_t back = length; back-- > 0;)
        rows.values.push_back(back > t ? T{0} : static_cast<T>(series[(t - back) * inputs + i]));
    rows.real.targets.push_back(series[(t + horizon) * inputs]);
  }
  return rows;
}

template RawRows<float> Embed<float>(const std::vector<double>&, std::size_t, std::size_t, std::size_t,
                                     std::size_t, std::size_t);
template RawRows<double> Embed<double>(const std::vector<double>&, std::size_t, std::size_t, std::size_t,
                                       std::size_t, std::size_t);

bool IsSeries(const DataSet& set) {
  return set.format == "series" || (set.generated() && IsSeriesGenerator(set.generator.name));
}

DataSet Embedded(DataSet set, const DataRequest& request) {
  set.features = request.embedding.value_or(set.features / set.inputs) * set.inputs;
  const std::size_t horizon = request.horizon.value_or(set.horizon);
  const std::size_t before = set.horizon;
  set.horizon = horizon;
  // Parts that share a file are consecutive: only the last one gains or loses rows.
  std::map<std::string, std::size_t> ends;
  for (const auto& [name, part] : set.parts) {
    std::size_t& end = ends[part.files.empty() ? name : part.files[0].name];
    end = std::max(end, part.skip + part.rows);
  }
  for (auto& [name, part] : set.parts) {
    if (part.skip + part.rows < ends[part.files.empty() ? name : part.files[0].name]) continue;
    if (part.rows + before <= horizon)
      throw DataError("data set '" + set.name + "': no row of part '" + name + "' is left with horizon " +
                      std::to_string(horizon));
    part.rows = part.rows + before - horizon;
  }
  return set;
}

}  // namespace okbench
