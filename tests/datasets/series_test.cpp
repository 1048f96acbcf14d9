// Series as rows: embeddings by hand, the format's errors, and generated series.

#include "datasets/series.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "datasets/formats/format.h"
#include "learners/core/error.h"

namespace okbench {
namespace {

TEST_CASE("rows of a series hold the last values, zeros before the start, and the next value, by hand") {
  const auto rows = Embed<double>({1, 2, 3, 4, 5}, 1, 3, 0, 4);
  CHECK(rows.values == std::vector<double>{0, 0, 1, 0, 1, 2, 1, 2, 3, 2, 3, 4});
  CHECK(rows.real.targets == std::vector<double>{2, 3, 4, 5});
  const auto later = Embed<double>({1, 2, 3, 4, 5}, 1, 3, 2, 2);
  CHECK(later.values == std::vector<double>{1, 2, 3, 2, 3, 4});
  // Two inputs, (1, 10), (2, 20), (3, 30): two values of each; the first input is predicted.
  const auto pairs = Embed<float>({1, 10, 2, 20, 3, 30}, 2, 4, 0, 2);
  CHECK(pairs.values == std::vector<float>{0, 1, 0, 10, 1, 2, 10, 20});
  CHECK(pairs.real.targets == std::vector<double>{2, 3});
}

RawRows<double> ReadSeries(const std::string& text, std::size_t features) {
  const std::vector<FileText> files = {{"s.dat", text}};
  return FindFormat("series")->Read<double>({.files = files, .features = features, .labels = LabelMap({})});
}

TEST_CASE("the format series reads one step a line and names the line of an error") {
  CHECK(ReadSeries("1\n2.5\n\n-3\n", 2).values == std::vector<double>{0, 1, 1, 2.5});
  CHECK(ReadSeries(" 1 10\n2\t20 \n", 2).values == std::vector<double>{1, 10});
  CHECK_THROWS_WITH(ReadSeries("1\nx\n", 2), Catch::Contains("s.dat:2:1: 'x' is not a number"));
  CHECK_THROWS_WITH(ReadSeries("1 2\n3\n", 2),
                    Catch::Contains("the line has 1 values, the first line has 2"));
  CHECK_THROWS_WITH(ReadSeries("1 2\n3 4\n", 3),
                    Catch::Contains("3 features cannot be divided among 2 inputs"));
  CHECK_THROWS_WITH(ReadSeries("1\n", 2), Catch::Contains("at least two steps"));
  CHECK_THROWS_WITH(ReadSeries("\n", 2), Catch::Contains("the data set is empty"));
}

TEST_CASE("generated series: the Lorenz system by hand, and bounded paths") {
  // x = 10, y = 7, z = 35: dz = 70 - 8/3 35, z' = 35 + 0.01 dz.
  const auto lorenz = GeneratedSeries("lorenz", 10000);
  CHECK(lorenz[0] == 35);
  CHECK(lorenz[1] == Approx(35 + 0.01 * (70 - 8.0 / 3 * 35)));
  const auto mackey = GeneratedSeries("mackey-glass", 3000);
  const auto [low, high] = std::minmax_element(mackey.begin(), mackey.end());
  CHECK((*low > 0.1 && *low < 0.4 && *high > 1.2 && *high < 1.6));
  CHECK(GeneratedSeries("mackey-glass", 100) == std::vector<double>(mackey.begin(), mackey.begin() + 100));
  CHECK_THROWS_AS(GeneratedSeries("other", 10), DataError);
}

}  // namespace
}  // namespace okbench
