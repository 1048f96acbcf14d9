#include "datasets/generators/generators.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "datasets/generators/drift.h"
#include "datasets/rows/series.h"
#include "datasets/text/words.h"
#include "learners/core/math.h"

namespace okbench {
namespace {

std::int32_t DrawLabel(const DataSet& set, Random& random) {
  if (set.kind == LabelKind::kBinary) return random.Uniform() < set.generator.positive_share ? 1 : 0;
  return static_cast<std::int32_t>(random.Below(set.labels.size()));
}

template <class T>
RawRows<T> Digits(const DataSet& set, const std::string& part, std::size_t count, std::size_t first) {
  RawRows<T> rows;
  rows.features = set.features;
  rows.values.reserve(count * set.features);
  for (std::size_t i = 0; i < count; ++i) {
    Random random = RowRandom(set, part, first + i);
    const std::int32_t digit = DrawLabel(set, random);
    rows.labels.push_back(digit);
    // Quantised to 256 levels, like scanned pixels.
    for (const double ink : DrawDigit(digit, set.generator.side, random))
      rows.values.push_back(static_cast<T>(set.low + (set.high - set.low) * (std::floor(255 * ink) / 255)));
  }
  return rows;
}

// Sparse binary rows. Feature f has popularity 1 / (1 + a random integer below the number of features). For
// 30 % of the features the positive class multiplies the popularity by a random factor in [0, 4].
template <class T>
RawRows<T> SparseBinary(const DataSet& set, const std::string& part, std::size_t count, std::size_t first) {
  Random shape = ShapeRandom(set);
  std::vector<double> cumulative[2];
  double total[2] = {0, 0};
  for (std::size_t f = 0; f < set.features; ++f) {
    const double popularity = 1.0 / static_cast<double>(1 + shape.Below(set.features));
    const double tilt = shape.Uniform() < 0.3 ? 4 * shape.Uniform() : 1;
    for (int label = 0; label < 2; ++label) {
      total[label] += label == 1 ? popularity * tilt : popularity;
      cumulative[label].push_back(total[label]);
    }
  }
  RawRows<T> rows;
  rows.features = set.features;
  rows.offsets.push_back(0);
  for (std::size_t i = 0; i < count; ++i) {
    Random random = RowRandom(set, part, first + i);
    const std::int32_t label = DrawLabel(set, random);
    rows.labels.push_back(label);
    std::vector<std::uint32_t> active;
    while (active.size() < static_cast<std::size_t>(set.generator.active)) {
      const auto& sums = cumulative[label];
      const double mark = random.Uniform() * total[label];
      const auto f =
          static_cast<std::uint32_t>(std::upper_bound(sums.begin(), sums.end() - 1, mark) - sums.begin());
      if (std::find(active.begin(), active.end(), f) == active.end()) active.push_back(f);
    }
    std::sort(active.begin(), active.end());
    rows.indices.insert(rows.indices.end(), active.begin(), active.end());
    rows.values.resize(rows.indices.size(), T(1));
    rows.offsets.push_back(rows.indices.size());
  }
  return rows;
}

// Three Gaussian clusters per class.
template <class T>
RawRows<T> Clusters(const DataSet& set, const std::string& part, std::size_t count, std::size_t first) {
  constexpr std::size_t kCentres = 3;
  Random shape = ShapeRandom(set);
  std::vector<double> centres(set.labels.size() * kCentres * set.features);
  for (double& centre : centres) centre = 0.2 + 0.6 * shape.Uniform();
  RawRows<T> rows;
  rows.features = set.features;
  for (std::size_t i = 0; i < count; ++i) {
    Random random = RowRandom(set, part, first + i);
    const std::int32_t label = DrawLabel(set, random);
    rows.labels.push_back(label);
    const std::size_t centre = static_cast<std::size_t>(label) * kCentres + random.Below(kCentres);
    for (std::size_t f = 0; f < set.features; ++f) {
      const double place = std::clamp(centres[centre * set.features + f] + 0.12 * random.Normal(), 0.0, 1.0);
      const double levels = set.generator.levels;
      const double step =
          levels > 0 ? std::min(std::floor(place * levels), levels - 1) / (levels - 1) : place;
      rows.values.push_back(static_cast<T>(set.low + (set.high - set.low) * step));
    }
  }
  return rows;
}

// Points of the unit sphere, labelled by the side of a random plane through 0. Points closer than the margin
// are rejected.
template <class T>
RawRows<T> Margin(const DataSet& set, const std::string& part, std::size_t count, std::size_t first) {
  constexpr int kMaxTries = 100000;
  Random shape = ShapeRandom(set);
  const auto direction = [&set](Random& random) {
    std::vector<double> x(set.features);
    double square = 0;
    for (double& value : x) {
      value = random.Normal();
      square += value * value;
    }
    for (double& value : x) value /= std::sqrt(square);
    return x;
  };
  const std::vector<double> normal = direction(shape);
  RawRows<T> rows;
  rows.features = set.features;
  while (rows.labels.size() < count) {
    Random random = RowRandom(set, part, first + rows.labels.size());
    for (int tries = 0;; ++tries) {
      if (tries == kMaxTries)
        throw DataError("data set '" + set.name + "': margin " + std::to_string(set.generator.margin) +
                        " is too large in " + std::to_string(set.features) + " dimensions");
      const std::vector<double> x = direction(random);
      double distance = 0;  // signed distance of the row as stored in T
      for (std::size_t f = 0; f < x.size(); ++f)
        distance += static_cast<double>(static_cast<T>(x[f])) * normal[f];
      if (std::fabs(distance) < set.generator.margin) continue;
      for (const double value : x) rows.values.push_back(static_cast<T>(value));
      rows.labels.push_back(distance > 0 ? 1 : 0);
      break;
    }
  }
  return rows;
}

// A wave with period 1 and amplitude 1: a piecewise cubic close to sin(2 pi u) with the same bits on every
// machine.
double Wave(double u) {
  const double place = u - std::floor(u);
  return 6 * std::sqrt(3.0) * place * (1 - place) * (1 - 2 * place);
}

// Regression: y = wave(u) + wave(3 u + 1/4) / 2 + noise with u = x - t/period in row t, x uniform in [0, 1].
// The test part has no drift and no noise.
template <class T>
RawRows<T> Waves(const DataSet& set, const std::string& part, std::size_t count, std::size_t first) {
  const GeneratorSpec& spec = set.generator;
  RawRows<T> rows;
  rows.features = 1;
  rows.labels.assign(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    Random random = RowRandom(set, part, first + i);
    rows.values.push_back(static_cast<T>(random.Uniform()));
    const double drift = spec.period > 0 && part != "test" ? static_cast<double>(first + i) / spec.period : 0;
    const double u = static_cast<double>(rows.values.back()) - drift;
    const double truth = Wave(u) + 0.5 * Wave(3 * u + 0.25);
    double noise = 0;
    if (spec.noise == "gaussian") {
      noise = random.Normal();
    } else {
      // Student's t with 2 degrees of freedom, by inversion of its distribution function.
      const double p = random.Uniform();
      noise = (2 * p - 1) / std::sqrt(std::max(2 * p * (1 - p), 1e-30));
    }
    rows.real.truth.push_back(truth);
    rows.real.targets.push_back(part == "test" ? truth : truth + spec.scale * noise);
  }
  return rows;
}

// Friedman's first function (1991), scaled: with x uniform in [0, 1], in the range of the set,
//   y = (10 sin(pi x_1 x_2) + 20 (x_3 - 1/2)^2 + 10 x_4 + 5 x_5 + noise) / 30
// Further features are noise. The test part has no noise.
template <class T>
RawRows<T> Friedman(const DataSet& set, const std::string& part, std::size_t count, std::size_t first) {
  constexpr double kPi = 3.14159265358979323846;
  RawRows<T> rows;
  rows.features = set.features;
  rows.labels.assign(count, 0);
  std::vector<double> x(set.features);
  for (std::size_t i = 0; i < count; ++i) {
    Random random = RowRandom(set, part, first + i);
    for (double& value : x) {
      value = random.Uniform();
      rows.values.push_back(static_cast<T>(set.low + (set.high - set.low) * value));
    }
    const double truth =
        (10 * Sin(kPi * x[0] * x[1]) + 20 * (x[2] - 0.5) * (x[2] - 0.5) + 10 * x[3] + 5 * x[4]) / 30;
    rows.real.truth.push_back(truth);
    rows.real.targets.push_back(part == "test" ? truth : truth + random.Normal() / 30);
  }
  return rows;
}

// Share of flipped labels. The Bayes error of these sets is 5 %.
constexpr double kWrongLabels = 0.05;

// Points of the unit square, positive above the border x_2 = 1/2 + wave(x_1 - t/period) / 4, which moves with
// the row t. The test part uses the border at t = 0.
template <class T>
RawRows<T> MovingBorder(const DataSet& set, const std::string& part, std::size_t count, std::size_t first) {
  RawRows<T> rows;
  rows.features = 2;
  for (std::size_t i = 0; i < count; ++i) {
    Random random = RowRandom(set, part, first + i);
    for (int f = 0; f < 2; ++f) rows.values.push_back(static_cast<T>(random.Uniform()));
    const double drift = part == "test" || set.generator.period == 0
                             ? 0
                             : static_cast<double>(first + i) / set.generator.period;
    const auto x = static_cast<double>(rows.values[2 * i]), y = static_cast<double>(rows.values[2 * i + 1]);
    const bool above = y > 0.5 + 0.25 * Wave(x - drift);
    rows.labels.push_back(above != (random.Uniform() < kWrongLabels) ? 1 : 0);
  }
  return rows;
}

// Standard normal points, labelled by the side of a random plane through 0. 10 % of the labels are flipped.
template <class T>
RawRows<T> FlippedPlane(const DataSet& set, const std::string& part, std::size_t count, std::size_t first) {
  constexpr double kFlipped = 0.1;
  Random shape = ShapeRandom(set);
  std::vector<double> normal(set.features);
  for (double& value : normal) value = shape.Normal();
  RawRows<T> rows;
  rows.features = set.features;
  for (std::size_t i = 0; i < count; ++i) {
    Random random = RowRandom(set, part, first + i);
    double side = 0;
    for (const double weight : normal) {
      rows.values.push_back(static_cast<T>(random.Normal()));
      side += weight * static_cast<double>(rows.values.back());
    }
    rows.labels.push_back((side > 0) != (random.Uniform() < kFlipped) ? 1 : 0);
  }
  return rows;
}

// 32 Gaussian clusters whose labels are redrawn every `period` rows. The test part uses the first labels.
template <class T>
RawRows<T> Switching(const DataSet& set, const std::string& part, std::size_t count, std::size_t first) {
  constexpr std::size_t kCentres = 32;
  Random shape = ShapeRandom(set);
  std::vector<double> centres(kCentres * set.features);
  for (double& centre : centres) centre = 0.2 + 0.6 * shape.Uniform();
  // Labels of the clusters by period, extended on demand.
  std::vector<std::array<std::int32_t, kCentres>> labels;
  RawRows<T> rows;
  rows.features = set.features;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t period = part == "test" || set.generator.period == 0
                                   ? 0
                                   : (first + i) / static_cast<std::size_t>(set.generator.period);
    while (labels.size() <= period) {
      labels.emplace_back();
      for (std::int32_t& label : labels.back()) label = static_cast<std::int32_t>(shape.Below(2));
    }
    Random random = RowRandom(set, part, first + i);
    const std::size_t centre = random.Below(kCentres);
    for (std::size_t f = 0; f < set.features; ++f)
      rows.values.push_back(
          static_cast<T>(std::clamp(centres[centre * set.features + f] + 0.06 * random.Normal(), 0.0, 1.0)));
    const std::int32_t label = labels[period][centre];
    rows.labels.push_back(random.Uniform() < kWrongLabels ? 1 - label : label);
  }
  return rows;
}

// A nonlinear channel that switches between two responses h every `period` rows (the demonstration of KRLS-T,
// fig3.m of kafbox): y_t = tanh(h'(u_t, u_t-1, ..., u_t-4)) + scale * noise, with u and the noise standard
// normal. A row has the last five values of u, oldest first; those before the start are 0. The test part has
// the first response and no noise.
constexpr std::size_t kTaps = 5;
template <class T>
RawRows<T> Channel(const DataSet& set, const std::string& part, std::size_t count, std::size_t first) {
  constexpr std::array<std::array<double, kTaps>, 2> kResponses = {
      {{1, -0.3817, -0.1411, 0.5789, 0.1910}, {1, -0.0870, 0.9852, -0.2826, -0.1711}}};
  const auto period = static_cast<std::size_t>(set.generator.period);
  RawRows<T> rows;
  rows.features = kTaps;
  rows.labels.assign(count, 0);
  for (std::size_t t = first; t < first + count; ++t) {
    const bool test = part == "test";
    const auto& response = kResponses[test || period == 0 ? 0 : t / period % 2];
    double sum = 0;
    for (std::size_t back = kTaps; back-- > 0;) {
      const double u = back > t ? 0 : RowRandom(set, part, t - back).Normal();
      rows.values.push_back(static_cast<T>(u));
      sum += response[back] * static_cast<double>(rows.values.back());
    }
    Random random = RowRandom(set, part, t);
    random.Normal();  // u_t
    const double e = Exp(-2 * std::fabs(sum)), truth = std::copysign((1 - e) / (1 + e), sum);
    rows.real.truth.push_back(truth);
    rows.real.targets.push_back(test ? truth : truth + set.generator.scale * random.Normal());
  }
  return rows;
}

// Documents as sparse word counts.
template <class T>
RawRows<T> Topics(const DataSet& set, const std::string& part, std::size_t count, std::size_t first) {
  const TopicModel model(set);
  RawRows<T> rows;
  rows.features = set.generator.topics->words;
  for (std::size_t i = 0; i < count; ++i) {
    Random random = RowRandom(set, part, first + i);
    rows.labels.push_back(DrawLabel(set, random));
    AddCounts(model.Draw(rows.labels.back(), random), rows);
  }
  return rows;
}

template <class T>
RawRows<T> GenerateAny(const DataSet& set, const std::string& part, std::size_t rows, std::size_t first) {
  if (set.generator.name == "digits" && set.generator.side > 0 &&
      static_cast<std::size_t>(set.generator.side) * static_cast<std::size_t>(set.generator.side) ==
          set.features)
    return Digits<T>(set, part, rows, first);
  if (set.generator.name == "sparse-binary" && set.generator.active > 0 &&
      static_cast<std::size_t>(set.generator.active) <= set.features && set.labels.size() == 2)
    return SparseBinary<T>(set, part, rows, first);
  if (IsDriftGenerator(set.generator.name)) return GenerateDrift<T>(set, part, rows, first);
  if (set.generator.name == "clusters") return Clusters<T>(set, part, rows, first);
  if (set.generator.name == "margin" && set.kind == LabelKind::kBinary && set.generator.margin > 0 &&
      set.generator.margin < 1)
    return Margin<T>(set, part, rows, first);
  if (set.generator.name == "waves" && set.kind == LabelKind::kReal && set.features == 1)
    return Waves<T>(set, part, rows, first);
  if (set.generator.name == "friedman" && set.kind == LabelKind::kReal && set.features >= 5)
    return Friedman<T>(set, part, rows, first);
  if (IsSeriesGenerator(set.generator.name) && set.kind == LabelKind::kReal)
    return Embed<T>(GeneratedSeries(set.generator.name, first + rows + set.horizon), 1, set.features,
                    set.horizon, first, rows);
  if (set.generator.name == "channel" && set.kind == LabelKind::kReal && set.features == kTaps)
    return Channel<T>(set, part, rows, first);
  if (set.generator.name == "moving-border" && set.kind == LabelKind::kBinary && set.features == 2)
    return MovingBorder<T>(set, part, rows, first);
  if (set.generator.name == "flipped-plane" && set.kind == LabelKind::kBinary)
    return FlippedPlane<T>(set, part, rows, first);
  if (set.generator.name == "switching" && set.kind == LabelKind::kBinary)
    return Switching<T>(set, part, rows, first);
  if (set.generator.name == "topics" && set.kind != LabelKind::kReal && set.generator.topics &&
      (set.features == 0 || set.features == set.generator.topics->words))
    return Topics<T>(set, part, rows, first);
  throw DataError("data set '" + set.name + "': generator '" + set.generator.name +
                  "' is unknown or has parameters that do not fit");
}

}  // namespace

template <class T>
RawRows<T> Generate(const DataSet& set, const std::string& part, std::size_t rows, std::size_t first) {
  RawRows<T> data = GenerateAny<T>(set, part, rows, first);
  if (set.integer_scale > 0)
    for (T& value : data.values)
      value = static_cast<T>(
          std::clamp(std::nearbyint(static_cast<double>(value) * set.integer_scale) / set.integer_scale,
                     set.low, set.high));
  return data;
}

template RawRows<float> Generate<float>(const DataSet&, const std::string&, std::size_t, std::size_t);
template RawRows<double> Generate<double>(const DataSet&, const std::string&, std::size_t, std::size_t);

}  // namespace okbench
