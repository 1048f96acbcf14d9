#include "datasets/generators/drift.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>

#include "base/error.h"
#include "datasets/generators/row_random.h"
#include "learners/core/math.h"

namespace okbench {
namespace {

// A generator of examples of several concepts.
class Concepts {
 public:
  virtual ~Concepts() = default;
  virtual std::size_t concepts() const = 0;
  /// Draws the features of row t and returns its class.
  virtual std::int32_t Draw(std::size_t concept_number, double t, Random& random,
                            std::span<double> x) const = 0;
};

// SEA (Street and Kim 2001): three features, uniform on [0, 10]. Class 1 if x_1 + x_2 <= theta.
class Sea final : public Concepts {
 public:
  std::size_t concepts() const override { return kThetas.size(); }
  std::int32_t Draw(std::size_t c, double /*t*/, Random& random, std::span<double> x) const override {
    for (double& value : x) value = 10 * random.Uniform();
    return x[0] + x[1] <= kThetas[c] ? 1 : 0;
  }

 private:
  static constexpr std::array<double, 4> kThetas = {8, 9, 7, 9.5};
};

// Sine (Gama, Medas, Castillo and Rodrigues 2004): two features, uniform on [0, 1]. Concept 0 (SINE1): class
// 1 below the curve x_2 = sin(x_1). Concept 2 (SINE2): below x_2 = 1/2 + 3/10 sin(3 pi x_1). Concepts 1 and 3
// reverse the classes.
class Sine final : public Concepts {
 public:
  std::size_t concepts() const override { return 4; }
  std::int32_t Draw(std::size_t c, double /*t*/, Random& random, std::span<double> x) const override {
    constexpr double kPi = 3.14159265358979323846;
    for (double& value : x) value = random.Uniform();
    const double curve = c < 2 ? Sin(x[0]) : 0.5 + 0.3 * Sin(3 * kPi * x[0]);
    return (x[1] < curve) == (c % 2 == 0) ? 1 : 0;
  }
};

// STAGGER (Schlimmer and Granger 1986): size, colour and shape with three values each, as nine indicators.
// Class 1 if: 0: small and red; 1: green or circular; 2: medium or large.
class Stagger final : public Concepts {
 public:
  std::size_t concepts() const override { return 3; }
  std::int32_t Draw(std::size_t c, double /*t*/, Random& random, std::span<double> x) const override {
    std::fill(x.begin(), x.end(), 0.0);
    std::array<std::uint64_t, 3> values{};  // size, colour (red, green, blue), shape (circle, ...)
    for (std::size_t a = 0; a < 3; ++a) {
      values[a] = random.Below(3);
      x[3 * a + values[a]] = 1;
    }
    const auto& [size, colour, shape] = values;
    const bool positive = c == 0 ? size == 0 && colour == 0 : c == 1 ? colour == 1 || shape == 0 : size > 0;
    return positive ? 1 : 0;
  }
};

// LED (Breiman, Friedman, Olshen and Stone 1984): the seven segments of a digit, each inverted with
// probability 1/10, and 17 random indicators. Concept c exchanges segment j with the indicator 7 + (j + 3 c)
// mod 17, for c > 0.
class Led final : public Concepts {
 public:
  std::size_t concepts() const override { return 17; }
  std::int32_t Draw(std::size_t c, double /*t*/, Random& random, std::span<double> x) const override {
    static constexpr std::array<const char*, 10> kSegments = {"1110111", "0010010", "1011101", "1011011",
                                                              "0111010", "1101011", "1101111", "1010010",
                                                              "1111111", "1111011"};
    const auto digit = static_cast<std::int32_t>(random.Below(10));
    for (std::size_t j = 0; j < 7; ++j) {
      const bool on = kSegments[static_cast<std::size_t>(digit)][j] == '1';
      x[j] = on != (random.Uniform() < 0.1) ? 1 : 0;
    }
    for (std::size_t j = 7; j < x.size(); ++j) x[j] = static_cast<double>(random.Below(2));
    if (c > 0)
      for (std::size_t j = 0; j < 7; ++j) std::swap(x[j], x[7 + (j + 3 * c) % 17]);
    return digit;
  }
};

// Random RBF with drift (Bifet, Holmes, Kirkby and Pfahringer 2010): 50 centres in the unit cube with a
// class, a weight and a standard deviation each. A row is a centre, chosen by weight, plus a Gaussian
// distance in a random direction. Every centre moves in a fixed direction by 1 / period per row, and is
// reflected at the faces of the cube.
class RandomRbf final : public Concepts {
 public:
  RandomRbf(std::size_t features, std::size_t classes, int period, Random shape)
      : features_(features), speed_(period > 0 ? 1.0 / period : 0) {
    for (std::size_t k = 0; k < kCentres; ++k) {
      for (std::size_t f = 0; f < features; ++f) centres_.push_back(shape.Uniform());
      const std::vector<double> direction = Direction(shape);
      directions_.insert(directions_.end(), direction.begin(), direction.end());
      labels_.push_back(static_cast<std::int32_t>(shape.Below(classes)));
      deviations_.push_back(0.3 * shape.Uniform());
      weights_.push_back((weights_.empty() ? 0 : weights_.back()) + shape.Uniform());
    }
  }
  std::size_t concepts() const override { return 1; }
  std::int32_t Draw(std::size_t /*c*/, double t, Random& random, std::span<double> x) const override {
    const double mark = random.Uniform() * weights_.back();
    const auto k = static_cast<std::size_t>(std::upper_bound(weights_.begin(), weights_.end() - 1, mark) -
                                            weights_.begin());
    const std::vector<double> direction = Direction(random);
    const double distance = deviations_[k] * random.Normal();
    for (std::size_t f = 0; f < features_; ++f) {
      const double place = centres_[k * features_ + f] + speed_ * t * directions_[k * features_ + f];
      const double folded = place - 2 * std::floor(place / 2);  // in [0, 2)
      x[f] = (folded < 1 ? folded : 2 - folded) + distance * direction[f];
    }
    return labels_[k];
  }

 private:
  static constexpr std::size_t kCentres = 50;

  std::vector<double> Direction(Random& random) const {
    std::vector<double> direction(features_);
    double square = 0;
    for (double& value : direction) {
      value = random.Normal();
      square += value * value;
    }
    for (double& value : direction) value /= std::sqrt(square);
    return direction;
  }

  std::size_t features_;
  double speed_;
  std::vector<double> centres_, directions_, deviations_, weights_;  // weights: cumulative sums
  std::vector<std::int32_t> labels_;
};

// Rotating hyperplane (Hulten, Spencer and Domingos 2001): features uniform on [0, 1]. Class 1 if
// sum_f w_f x_f >= sum_f w_f / 2. The weights are in [0, 1]. The first half of them moves by 1 / period per
// row, each in its direction, and is reflected at 0 and 1.
class Hyperplane final : public Concepts {
 public:
  Hyperplane(std::size_t features, int period, Random shape) : speed_(period > 0 ? 1.0 / period : 0) {
    for (std::size_t f = 0; f < features; ++f) {
      weights_.push_back(shape.Uniform());
      directions_.push_back(2 * f >= features ? 0 : shape.Below(2) == 0 ? -1 : 1);
    }
  }
  std::size_t concepts() const override { return 1; }
  std::int32_t Draw(std::size_t /*c*/, double t, Random& random, std::span<double> x) const override {
    double side = 0;
    for (std::size_t f = 0; f < x.size(); ++f) {
      x[f] = random.Uniform();
      const double place = weights_[f] + speed_ * t * directions_[f];
      const double folded = place - 2 * std::floor(place / 2);
      side += (folded < 1 ? folded : 2 - folded) * (x[f] - 0.5);
    }
    return side >= 0 ? 1 : 0;
  }

 private:
  double speed_;
  std::vector<double> weights_, directions_;
};

std::unique_ptr<Concepts> MakeConcepts(const DataSet& set) {
  const std::string& name = set.generator.name;
  const bool binary = set.kind == LabelKind::kBinary;
  if (name == "sea" && binary && set.features == 3) return std::make_unique<Sea>();
  if (name == "sine" && binary && set.features == 2) return std::make_unique<Sine>();
  if (name == "stagger" && binary && set.features == 9) return std::make_unique<Stagger>();
  if (name == "led" && set.labels.size() == 10 && set.features == 24) return std::make_unique<Led>();
  if (name == "random-rbf" && !set.labels.empty())
    return std::make_unique<RandomRbf>(set.features, set.labels.size(), set.generator.period,
                                       ShapeRandom(set));
  if (name == "hyperplane" && binary)
    return std::make_unique<Hyperplane>(set.features, set.generator.period, ShapeRandom(set));
  throw DataError("data set '" + set.name + "': generator '" + name +
                  "' needs other labels or another number of features");
}

// The segment of row t: the number of changes before it. Around a gradual change at row c of width w, the
// next segment has probability 1 / (1 + exp(-4 (t - c) / w)) (Bifet et al. 2010).
std::size_t SegmentOf(const DriftSpec& drift, double t, Random& random) {
  std::size_t segment = 0;
  for (const std::uint64_t change : drift.changes) {
    const double after = t - static_cast<double>(change);
    if (drift.width == 0 || std::fabs(after) > 5 * static_cast<double>(drift.width)) {
      segment += after >= 0 ? 1 : 0;
      continue;
    }
    segment += random.Uniform() < 1 / (1 + Exp(-4 * after / static_cast<double>(drift.width))) ? 1 : 0;
  }
  return segment;
}

}  // namespace

bool IsDriftGenerator(const std::string& generator) {
  static const std::array<const char*, 6> kNames = {"sea", "sine",       "stagger",
                                                    "led", "random-rbf", "hyperplane"};
  return std::find(kNames.begin(), kNames.end(), generator) != kNames.end();
}

template <class T>
RawRows<T> GenerateDrift(const DataSet& set, const std::string& part, std::size_t count, std::size_t first) {
  constexpr int kMaxTries = 100000;
  DriftSpec drift = set.generator.drift.value_or(DriftSpec{});
  if (part == "test") drift.changes.clear();
  const std::unique_ptr<Concepts> concepts = MakeConcepts(set);
  for (const std::uint64_t concept_number : drift.concepts)
    if (concept_number >= concepts->concepts())
      throw DataError("data set '" + set.name + "': the generator has no concept " +
                      std::to_string(concept_number));
  RawRows<T> rows;
  rows.features = set.features;
  std::vector<double> x(set.features);
  for (std::size_t i = 0; i < count; ++i) {
    Random random = RowRandom(set, part, first + i);
    const double t = part == "test" ? 0 : static_cast<double>(first + i);
    const std::size_t segment = SegmentOf(drift, t, random);
    const std::size_t now = drift.concepts.empty() ? segment % concepts->concepts()
                                                   : drift.concepts[segment % drift.concepts.size()];
    std::int32_t label = concepts->Draw(now, t, random, x);
    if (!drift.positive_shares.empty()) {
      // Rejects rows until one has the class that was drawn.
      const double share = drift.positive_shares[segment % drift.positive_shares.size()];
      const std::int32_t wanted = random.Uniform() < share ? 1 : 0;
      for (int tries = 0; label != wanted; ++tries) {
        if (tries == kMaxTries)
          throw DataError("data set '" + set.name + "': a concept has no rows of class " +
                          std::to_string(wanted));
        label = concepts->Draw(now, t, random, x);
      }
    }
    if (drift.noise > 0 && random.Uniform() < drift.noise)
      label = static_cast<std::int32_t>(
          (static_cast<std::uint64_t>(label) + 1 + random.Below(set.labels.size() - 1)) % set.labels.size());
    rows.labels.push_back(label);
    for (const double value : x) rows.values.push_back(static_cast<T>(value));
  }
  return rows;
}

template RawRows<float> GenerateDrift<float>(const DataSet&, const std::string&, std::size_t, std::size_t);
template RawRows<double> GenerateDrift<double>(const DataSet&, const std::string&, std::size_t, std::size_t);

std::vector<std::uint64_t> ChangePoints(const DataSet& set, bool generated, std::uint64_t rows) {
  std::vector<std::uint64_t> all;
  if (!generated) all = set.change_points;
  if (generated && set.generator.drift) all = set.generator.drift->changes;
  const bool switches = set.generator.name == "switching" || set.generator.name == "channel";
  if (generated && switches && set.generator.period > 0)
    for (auto at = static_cast<std::uint64_t>(set.generator.period); at < rows;
         at += static_cast<std::uint64_t>(set.generator.period))
      all.push_back(at);
  std::erase_if(all, [rows](std::uint64_t at) { return at >= rows; });
  return all;
}

}  // namespace okbench
