// Series as rows: embeddings by hand, the format's errors, and generated series.

#include "datasets/rows/series.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "datasets/formats/format.h"
#include "datasets/generators/drift.h"
#include "datasets/generators/generators.h"
#include "tests/catch.h"

namespace okbench {
namespace {

TEST_CASE("rows of a series hold the last values, zeros before the start, and the next value, by hand") {
  const auto rows = Embed<double>({1, 2, 3, 4, 5}, 1, 3, 1, 0, 4);
  CHECK(rows.values == std::vector<double>{0, 0, 1, 0, 1, 2, 1, 2, 3, 2, 3, 4});
  CHECK(rows.real.targets == std::vector<double>{2, 3, 4, 5});
  const auto later = Embed<double>({1, 2, 3, 4, 5}, 1, 3, 1, 2, 2);
  CHECK(later.values == std::vector<double>{1, 2, 3, 2, 3, 4});
  // Two inputs, (1, 10), (2, 20), (3, 30): two values of each; the first input is predicted.
  const auto pairs = Embed<float>({1, 10, 2, 20, 3, 30}, 2, 4, 1, 0, 2);
  CHECK(pairs.values == std::vector<float>{0, 1, 0, 10, 1, 2, 10, 20});
  CHECK(pairs.real.targets == std::vector<double>{2, 3});
  // Horizon 2: the row 0 1 has the target 3.
  const auto ahead = Embed<double>({1, 2, 3, 4, 5}, 1, 2, 2, 0, 3);
  CHECK(ahead.values == std::vector<double>{0, 1, 1, 2, 2, 3});
  CHECK(ahead.real.targets == std::vector<double>{3, 4, 5});
}

DataSet SetOf(const std::string& format, std::size_t features) {
  DataSet set;
  set.name = "s";
  set.format = format;
  set.features = features;
  set.kind = LabelKind::kReal;
  return set;
}

DataRequest RequestOf(std::optional<std::uint64_t> embedding, std::optional<std::uint64_t> horizon) {
  DataRequest request;
  request.embedding = embedding;
  request.horizon = horizon;
  return request;
}

TEST_CASE("a request changes the embedding and the horizon of a series") {
  DataSet set = SetOf("series", 4);
  set.inputs = 2;
  DataFile file;
  file.name = "s.dat";
  set.parts["train"].rows = 9;
  set.parts["train"].files = {file};
  const DataSet plain = Embedded(set, {});
  CHECK((plain.features == 4 && plain.horizon == 1 && plain.parts.at("train").rows == 9));
  const DataSet longer = Embedded(set, RequestOf(3, 4));
  DataSet far = set;
  far.horizon = 5;
  CHECK(Embedded(far, RequestOf({}, 2)).parts.at("train").rows == 12);
  CHECK((longer.features == 6 && longer.horizon == 4 && longer.parts.at("train").rows == 6));
  CHECK_THROWS_WITH(Embedded(set, RequestOf({}, 10)),
                    "data set 's': no row of part 'train' is left with horizon 10");
  // Two parts of one file: the last one loses rows. Its rows follow those of the first.
  set.parts["train"].rows = 5;
  DataPart& rest = set.parts["test"];
  rest.rows = 4;
  rest.skip = 5;
  rest.files = {file};
  const DataSet parts = Embedded(set, RequestOf({}, 3));
  CHECK((parts.parts.at("train").rows == 5 && parts.parts.at("test").rows == 2));
  CHECK(IsSeries(set));
}

RawRows<double> ReadSeries(const std::string& text, std::size_t features, std::size_t inputs = 1,
                           std::size_t horizon = 1) {
  const std::vector<FileText> files = {{"s.dat", text}};
  return FindFormat("series")->Read<double>(
      {.files = files, .features = features, .inputs = inputs, .horizon = horizon, .labels = LabelMap({})});
}

TEST_CASE("the format series reads one step a line and names the line of an error") {
  CHECK(ReadSeries("\n1\n2.5\n-3\n\n", 2).values == std::vector<double>{0, 1, 1, 2.5});
  CHECK(ReadSeries(" 1 10\n2\t20 \n", 2, 2).values == std::vector<double>{1, 10});
  CHECK_THROWS_WITH(ReadSeries("1\n2.5\n\n\n-3\n", 2),
                    Catch::Contains("s.dat:3: the line is blank, but a series has no gaps"));
  CHECK_THROWS_WITH(ReadSeries("1\nx\n", 2), Catch::Contains("s.dat:2:1: 'x' is not a number"));
  CHECK_THROWS_WITH(ReadSeries("1 2\n3\n", 2, 2),
                    Catch::Contains("s.dat:2:1: the line has 1 values, the catalog says inputs = 2"));
  CHECK(ReadSeries("1\n2\n3\n", 1, 1, 2).real.targets == std::vector<double>{3});
  CHECK_THROWS_WITH(ReadSeries("1\n2\n", 1, 1, 2),
                    Catch::Contains("a series needs more steps than its horizon, 2"));
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

TEST_CASE("the channel follows its equation and switches its response") {
  DataSet set = SetOf("generated", 5);
  set.generator.name = "channel";
  set.generator.scale = 0.1;
  set.generator.period = 50;
  const auto rows = Generate<double>(set, "train", 100, 0);
  const std::vector<double> first = {1, -0.3817, -0.1411, 0.5789, 0.1910};
  const std::vector<double> second = {1, -0.0870, 0.9852, -0.2826, -0.1711};
  double noise = 0;
  for (std::size_t t = 0; t < 100; ++t) {
    const auto& response = t < 50 ? first : second;
    double sum = 0;
    for (std::size_t j = 0; j < 5; ++j) sum += response[j] * rows.values[t * 5 + 4 - j];
    REQUIRE(rows.real.truth[t] == Approx(std::tanh(sum)));
    noise += std::pow(rows.real.targets[t] - rows.real.truth[t], 2) / 100;
    if (t > 0)
      REQUIRE(rows.values[t * 5 + 3] == rows.values[(t - 1) * 5 + 4]);  // the same input, a step later
  }
  CHECK(noise == Approx(0.01).epsilon(0.5));
  CHECK(rows.values[3] == 0);
  CHECK(ChangePoints(set, true, 200) == std::vector<std::uint64_t>{50, 100, 150});
  // Later rows do not depend on where the chunk begins.
  const auto chunk = Generate<double>(set, "train", 30, 70);
  CHECK(chunk.values == std::vector<double>(rows.values.begin() + 350, rows.values.end()));
}

}  // namespace
}  // namespace okbench
