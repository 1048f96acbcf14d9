// Data sets declared as integers in the catalog, and generated sets with drift.

#include <cmath>

#include "base/error.h"
#include "datasets/generators/generators.h"
#include "datasets/rows/load.h"
#include "datasets/rows/stream.h"
#include "datasets/rows/transform.h"
#include "tests/catch.h"
#include "tests/datasets/known.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using Catch::Contains;
using testing::kNoFolder;
using testing::Known;

DataSet Promising(double low, double high, int whole, std::size_t features = 3) {
  DataSet set;
  set.name = "toy";
  set.features = features;
  set.low = low;
  set.high = high;
  set.integer_scale = whole;
  return set;
}

TEST_CASE("integer scale of scaled values by hand") {
  const auto scale = [](const DataSet& set, std::optional<Range> range, bool unit_norm = false) {
    return IntegerScaleOf(set, {.name = "toy", .scale = range, .unit_norm = unit_norm});
  };
  const DataSet pixels = Promising(0, 255, 1), thousandths = Promising(-1, 1, 1000);
  CHECK(scale(pixels, std::nullopt) == IntegerScale{});
  CHECK(scale(pixels, Range{0, 1}) == IntegerScale{.scale = 1.0 / 255});
  CHECK(scale(pixels, Range{0, 1}, true) == IntegerScale{.unit_norm = true});
  // 2 n / 255 - 1 = (2 n - 255) / 255.
  CHECK(scale(pixels, Range{-1, 1}) == IntegerScale{.scale = 1.0 / 255, .low = -255, .high = 255});
  CHECK(scale(thousandths, std::nullopt) == IntegerScale{.scale = 0.001, .low = -1000, .high = 1000});
  CHECK(scale(thousandths, Range{0, 1}) == IntegerScale{.scale = 0.0005, .low = 0, .high = 2000});
  CHECK(!scale(pixels, Range{0.1, 1}));                      // 0 is not a multiple of the step
  CHECK(!scale(Promising(0, 1, 0), std::nullopt));           // not declared
  CHECK(!scale(Promising(0, 255, 1, 40000), std::nullopt));  // sums exceed 31 bits
  CHECK(!scale(Promising(0, 40000, 1), std::nullopt));
}

TEST_CASE("integers of transformed rows equal the values divided by the scale") {
  for (const auto& range : {std::optional<Range>(), std::optional(Range{0, 1}), std::optional(Range{-1, 1})})
    for (const bool unit_norm : {false, true})
      for (const auto& set : {Promising(0, 255, 1), Promising(-1, 1, 1000)}) {
        const DataRequest request{.name = "toy", .scale = range, .unit_norm = unit_norm};
        RawRows<double> rows{
            .features = 3, .values = {}, .offsets = {}, .indices = {}, .labels = {}, .real = {}};
        for (int i = 0; i < 40; ++i) {
          const int steps = static_cast<int>((set.high - set.low) * set.integer_scale);
          for (int j = 0; j < 3; ++j)
            rows.values.push_back(set.low + (i * (j + 1) * 7919 % (steps + 1)) /
                                                static_cast<double>(set.integer_scale));
          for (double& value : rows.values)
            value = std::nearbyint(value * set.integer_scale) / set.integer_scale;
          rows.labels.push_back(0);
        }
        const auto whole = IntegerRowsOf(set, request, rows);
        REQUIRE(whole != nullptr);
        auto wrong = rows;
        wrong.values[7] += 0.25 / set.integer_scale;
        CHECK_THROWS_WITH(IntegerRowsOf(set, request, wrong), Contains("'toy': row 2 has a value"));
        wrong.values[7] = set.high + 1.0 / set.integer_scale;
        CHECK_THROWS_WITH(IntegerRowsOf(set, request, wrong), Contains("outside the catalog's range"));
        Transform(set, request, rows);
        for (std::size_t i = 0; i < 40; ++i)
          for (std::size_t j = 0; j < 3; ++j) {
            const double norm = unit_norm ? std::sqrt(static_cast<double>(whole->squared_norm(i))) : 1;
            const double value = norm > 0 ? whole->scale().scale * whole->number(i, j) / norm : 0;
            CHECK(rows.values[3 * i + j] == Approx(value).margin(1e-12));
          }
      }
}

TEST_CASE("integer declarations hold for synthetic fallbacks, and change only their ids and data") {
  const Catalog catalog = Known();
  for (const char* name : {"mnist", "letter", "usps-esl", "imageclef07"}) {
    const DataSet& set = catalog.Find(name);
    DataRequest request{.name = name};
    request.force_synthetic = true;
    request.rows = 200;
    const auto floats = Load<float>(set, request, kNoFolder);
    const auto doubles = Load<double>(set, request, kNoFolder);
    REQUIRE(floats.integers() != nullptr);
    REQUIRE(doubles.integers() != nullptr);
    for (std::size_t i = 0; i < floats.size(); ++i) {
      REQUIRE(floats.integers()->squared_norm(i) == doubles.integers()->squared_norm(i));
      REQUIRE(floats.integers()->sum(i) == doubles.integers()->sum(i));
    }
    CHECK(PlanData(set, request, kNoFolder).integers);
    DataSet silent = set;
    silent.integer_scale = 0;
    CHECK(!PlanData(silent, request, kNoFolder).integers);
    CHECK(PlanData(silent, request, kNoFolder).digest != PlanData(set, request, kNoFolder).digest);
    // Integer storage is impossible, but generated rows are still rounded, and the digest includes that.
    request.scale = Range{0.1, 1};
    CHECK(Load<float>(set, request, kNoFolder).integers() == nullptr);
    CHECK(!PlanData(set, request, kNoFolder).integers);
    CHECK(PlanData(silent, request, kNoFolder).digest != PlanData(set, request, kNoFolder).digest);
  }
}

TEST_CASE("invalid integer declarations are rejected with file, line and key") {
  const testing::TemporaryFolder folder;
  const auto read = [&](const std::string& lines) {
    Catalog catalog;
    catalog.Read(folder.Write("c.toml", "[a]\ntitle = 't'\nformat = 'csv'\nfeatures = 2\nkind = 'binary'\n" +
                                            lines +
                                            "labels = ['0', '1']\nterms = 'none'\n[a.train]\nrows = 1\n"
                                            "files = [{ name = 'a', sha256 = '' }]\n"));
  };
  CHECK_NOTHROW(read("range = [0.0, 0.5]\ninteger_scale = 2\n"));
  CHECK_THROWS_WITH(read("range = [0.0, 0.5]\ninteger_scale = 1\n"),
                    Contains("c.toml:7") && Contains("limits of range"));
  CHECK_THROWS_WITH(read("range = [0.0, 1.0]\ninteger_scale = 0\n"), Contains("from 1 to 1000000"));
}

// Fraction of rows on which two runs of a generated set differ, by the part of the rows that is compared.
TEST_CASE("drifting sets drift, their test parts do not, and label noise matches the catalog") {
  const Catalog catalog = Known();
  const auto make = [&](const char* name, const char* part, std::size_t count, std::size_t first) {
    return Generate<double>(catalog.Find(name), part, count, first);
  };
  for (const char* name : {"moving-border", "switching", "flipped-plane"}) {
    const auto whole = make(name, "train", 300, 0), late = make(name, "train", 100, 200);
    const auto values = static_cast<std::ptrdiff_t>(200 * whole.features);
    CHECK(std::vector(whole.values.begin() + values, whole.values.end()) == late.values);
    CHECK(std::vector(whole.labels.begin() + 200, whole.labels.end()) == late.labels);
  }
  // At the start, points above the line through the middle of the wave are +1, except for noise. After half a
  // period the wave has the opposite sign.
  const auto share = [](const RawRows<double>& rows, auto&& expected) {
    double agree = 0, looked = 0;
    for (std::size_t i = 0; i < rows.labels.size(); ++i) {
      const int label = expected(&rows.values[i * rows.features]);
      if (label < 0) continue;
      ++looked;
      agree += rows.labels[i] == label ? 1 : 0;
    }
    REQUIRE(looked > 300);
    return agree / looked;
  };
  // Beyond the amplitude of the wave the label is certain.
  const auto certain = [](const double* x) { return x[1] > 0.76 ? 1 : x[1] < 0.24 ? 0 : -1; };
  for (const std::size_t first : {0, 10000, 30000})
    CHECK(share(make("moving-border", "train", 4000, first), certain) == Approx(0.95).margin(0.015));
  const auto between = [&](std::size_t first, const char* part) {
    // A quarter of the square in which the wave is on one side at the start.
    const auto rows = make("moving-border", part, 4000, first);
    double above = 0, looked = 0;
    for (std::size_t i = 0; i < 4000; ++i) {
      const double x = rows.values[2 * i], y = rows.values[2 * i + 1];
      if (x < 0.15 || x > 0.35 || y < 0.42 || y > 0.58) continue;
      ++looked;
      above += rows.labels[i];
    }
    return above / looked;
  };
  CHECK(std::fabs(between(0, "train") - between(10000, "train")) > 0.8);
  CHECK(std::fabs(between(0, "train") - between(20000, "train")) < 0.1);
  CHECK(std::fabs(between(0, "train") - between(0, "test")) < 0.1);
  // Rows of one period of `switching` agree on the labels of clusters, rows of different periods do not.
  // Compares with the nearest row of another sample.
  const auto agreement = [&](std::size_t first, const char* part) {
    const auto known = make("switching", "train", 800, 0), rows = make("switching", part, 400, first);
    double agree = 0;
    for (std::size_t i = 0; i < 400; ++i) {
      double nearest = 1e300;
      std::int32_t label = 0;
      for (std::size_t k = 0; k < 800; ++k) {
        double distance = 0;
        for (std::size_t f = 0; f < 10; ++f)
          distance += std::pow(rows.values[10 * i + f] - known.values[10 * k + f], 2);
        if (distance < nearest) {
          nearest = distance;
          label = known.labels[k];
        }
      }
      agree += label == rows.labels[i] ? 1 : 0;
    }
    return agree / 400;
  };
  CHECK(agreement(1000, "train") > 0.85);  // 5 % of the labels in both are wrong
  CHECK(agreement(0, "test") > 0.85);
  CHECK(agreement(5000, "train") < 0.75);
  // The plane is the best linear rule: one label in ten is flipped. The mean of y x estimates its normal.
  const auto plane = make("flipped-plane", "train", 10000, 0);
  double normal[2] = {0, 0};
  for (std::size_t i = 0; i < 10000; ++i)
    for (std::size_t f = 0; f < 2; ++f) normal[f] += (2 * plane.labels[i] - 1) * plane.values[2 * i + f];
  const auto rule = [&](const double* x) { return normal[0] * x[0] + normal[1] * x[1] > 0 ? 1 : 0; };
  CHECK(share(plane, rule) == Approx(0.9).margin(0.012));
}

TEST_CASE("a stream with a limit is a prefix of the full stream") {
  std::vector<std::int32_t> classes(60);
  for (std::size_t i = 0; i < 60; ++i) classes[i] = static_cast<std::int32_t>(i % 3);
  for (const Order order : {Order::kFile, Order::kPermutation, Order::kUniform})
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const auto all = MakeStream({order, 2, 0}, classes, seed);
      const auto some = MakeStream({order, 2, 23}, classes, seed);
      // The limit applies to a pass: the first of its rows.
      REQUIRE(some.size() >= 23);
      CHECK(std::equal(some.begin(), some.begin() + 23, all.begin()));
    }
}

}  // namespace
}  // namespace okbench
