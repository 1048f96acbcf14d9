// Catalog, streams, generators and loading.

#include "datasets/rows/load.h"

#include <numeric>
#include <set>

#include "base/error.h"
#include "base/sha256.h"
#include "datasets/generators/generators.h"
#include "datasets/rows/stream.h"
#include "tests/catch.h"
#include "tests/datasets/known.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using Catch::Contains;
using testing::kNoFolder;
using testing::Known;

TEST_CASE("the catalog contains the documented data sets") {
  const Catalog catalog = Known();
  for (const char* name : {"usps", "usps-esl", "mnist", "letter", "a8a", "a9a", "w8a", "ijcnn1"}) {
    const DataSet& set = catalog.Find(name);
    CHECK(set.parts.contains("test"));
    for (const auto& [part, info] : set.parts)
      for (const DataFile& file : info.files) {
        CHECK(file.sha256.size() == 64);
        CHECK(!file.urls.empty());
      }
  }
  CHECK_THROWS_WITH(catalog.Find("usp"), Contains("did you mean usps"));
}

TEST_CASE("invalid catalogs are rejected with file, line and key") {
  const testing::TemporaryFolder folder;
  const auto read = [&](const std::string& text) {
    Catalog catalog;
    catalog.Read(folder.Write("c.toml", text));
  };
  CHECK_THROWS_WITH(read("[a]\ntitle = 3\n"),
                    Contains("c.toml:2") && Contains("a.title: must be a text in quotes"));
  CHECK_THROWS_WITH(
      read("[a]\ntitle = 'x'\nformat = 'xml'\n"),
      Contains("c.toml:3") &&
          Contains("must be one of arff, arff-hierarchical, csv, csv-last, csv-pair, documents, esl, "
                   "gas-drift, idx, libsvm, series, table, text-last, text-pair, images, generated"));
  CHECK_THROWS_WITH(read("[a\n"), Contains("c.toml:1"));
  CHECK_THROWS_WITH(read("[a]\ntitle = 'x'\nfeature = 3\n"),
                    Contains("c.toml:3") && Contains("a.feature: unknown key; did you mean features?"));
}

TEST_CASE("streams: file order, permutations and epochs") {
  std::vector<std::int32_t> classes(50);
  const auto file = MakeStream({Order::kFile, 2, 3}, classes, 1);
  CHECK(file == std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2});
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto stream = MakeStream({Order::kPermutation, 2, 0}, classes, seed);
    REQUIRE(stream.size() == 100);
    CHECK(std::set<std::uint32_t>(stream.begin(), stream.begin() + 50).size() == 50);
    CHECK(std::set<std::uint32_t>(stream.begin() + 50, stream.end()).size() == 50);
    CHECK(!std::equal(stream.begin(), stream.begin() + 50, stream.begin() + 50));
    CHECK(stream == MakeStream({Order::kPermutation, 2, 0}, classes, seed));
    CHECK(stream != MakeStream({Order::kPermutation, 2, 0}, classes, seed + 1));
  }
  CHECK_THROWS_AS(MakeStream({}, {}, 1), DataError);
}

TEST_CASE("the counting sequence is a three-digit counter that runs twice") {
  std::vector<std::int32_t> classes;
  for (int i = 0; i < 7000; ++i) classes.push_back(i * 7 % 10);
  const auto stream = MakeStream({Order::kCounting, 1, 0}, classes, 1);
  REQUIRE(stream.size() == 6000);
  CHECK(std::set<std::uint32_t>(stream.begin(), stream.end()).size() == 6000);
  std::vector<int> counts(10, 0);
  for (std::size_t t = 0; t < 6000; ++t) {
    const auto counter = static_cast<int>(t / 3 % 1000);
    const int digits[] = {counter / 100, counter / 10 % 10, counter % 10};
    REQUIRE(classes[stream[t]] == digits[t % 3]);
    ++counts[static_cast<std::size_t>(digits[t % 3])];
  }
  CHECK(counts == std::vector<int>(10, 600));
  // Rows of one digit come in file order.
  std::uint32_t last = 0;
  for (const std::uint32_t row : stream)
    if (classes[row] == 3) {
      REQUIRE((last == 0 || row > last));
      last = row;
    }
  classes.resize(5000);
  CHECK_THROWS_WITH(MakeStream({Order::kCounting, 1, 0}, classes, 1), Contains("needs more rows of digit"));
}

TEST_CASE("generated data: expected shape, deterministic, any size, every class") {
  const Catalog catalog = Known();
  for (const auto& [name, set] : catalog.sets()) {
    DataRequest request{.name = name};
    request.force_synthetic = true;
    request.rows = 400;
    if (set.images || set.generator.name.empty()) continue;  // images: tests/datasets/images
    const auto plan = PlanData(set, request, kNoFolder);
    CHECK((plan.synthetic != set.generated() && plan.rows == request.rows));
    CHECK(plan.digest.starts_with(set.generated() ? "generated:v" : "synthetic:v"));
    const auto a = Load<float>(set, request, kNoFolder);
    const auto b = Load<float>(set, request, kNoFolder);
    INFO(name);
    CHECK(a.size() == request.rows);
    CHECK(a.features() == set.EstimatedFeatures());
    CHECK(ContentDigest(a) == ContentDigest(b));
    if (!set.labels.empty())
      CHECK(std::set<std::int32_t>(a.labels().begin(), a.labels().end()).size() == set.labels.size());
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < a.row(i).count; ++j) {
        REQUIRE(a.row(i).values[j] >= static_cast<float>(set.low));
        REQUIRE((set.documents() || a.row(i).values[j] <= static_cast<float>(set.high)));
      }
    // Requesting more rows does not change the first ones.
    request.rows += 50;
    const auto longer = Load<float>(set, request, kNoFolder);
    REQUIRE(longer.size() == request.rows);
    for (std::size_t i = 0; i < a.size(); ++i) REQUIRE(longer.target(i) == a.target(i));
    if (!set.parts.contains("test")) continue;
    request.part = "test";
    CHECK(ContentDigest(Load<float>(set, request, kNoFolder)) != ContentDigest(longer));
  }
}

TEST_CASE("generated set `margin` has its stated margin, and both classes") {
  const Catalog catalog = Known();
  const DataRequest request{.name = "margin"};
  const auto data = Load<double>(catalog.Find("margin"), request, kNoFolder);
  REQUIRE(data.size() == 5000);
  // The plane is not stored. A perceptron finds a separating one, with at most (1 / 0.1)^2 = 100 mistakes.
  std::vector<double> w(20, 0.0);
  int mistakes = 0, last_pass = 1;
  for (int pass = 0; pass < 50 && last_pass > 0; ++pass) {
    last_pass = 0;
    for (std::size_t i = 0; i < data.size(); ++i) {
      const double* x = data.row(i).values;
      CHECK(std::fabs(std::inner_product(x, x + 20, x, 0.0) - 1) < 1e-12);
      if (data.label(i) * std::inner_product(x, x + 20, w.begin(), 0.0) > 0) continue;
      ++last_pass;
      for (std::size_t f = 0; f < 20; ++f) w[f] += data.label(i) * x[f];
    }
    mistakes += last_pass;
  }
  CHECK(last_pass == 0);
  CHECK((mistakes > 5 && mistakes <= 100));
}

TEST_CASE("generated waves: stated noise, one wave of drift per period, a noise-free test part") {
  const Catalog catalog = Known();
  const auto load = [&](const char* name, const char* part) {
    return Load<double>(catalog.Find(name), {.name = name, .part = part}, kNoFolder);
  };
  for (const char* name : {"waves-gaussian", "waves-student"}) {
    const auto data = load(name, "train");
    REQUIRE(data.label_kind() == LabelKind::kReal);
    std::vector<double> noise;
    for (std::size_t i = 0; i < data.size(); ++i) noise.push_back(std::fabs(data.target(i) - data.truth(i)));
    std::sort(noise.begin(), noise.end());
    // Quartiles: 0.6745 for a normal, sqrt(2/3) for Student's t with two degrees of freedom.
    const double quartile = catalog.Find(name).generator.noise == "gaussian" ? 0.6745 : std::sqrt(2.0 / 3);
    CHECK(noise[10000] == Approx(catalog.Find(name).generator.scale * quartile).epsilon(0.05));
    CHECK((noise.back() > 5) == (catalog.Find(name).generator.noise == "student"));
    const auto test = load(name, "test");
    for (std::size_t i = 0; i < test.size(); ++i) CHECK(test.target(i) == test.truth(i));
  }
  const auto still = load("waves-gaussian", "train"), drifting = load("drifting-gaussian", "train");
  double early = 0, middle = 0;
  for (std::size_t i = 0; i < 20; ++i)
    for (std::size_t j = 0; j < still.size(); ++j) {
      // At equal inputs, up to a thousandth: equal values after whole periods, other values in between.
      const auto differ = [&](std::size_t row) {
        return std::fabs(still.row(j).values[0] - drifting.row(row).values[0]) < 1e-4
                   ? std::fabs(still.truth(j) - drifting.truth(row))
                   : 0.0;
      };
      early = std::max({early, differ(i), differ(10000 + i)});
      middle = std::max(middle, differ(5000 + i));
    }
  CHECK(early < 0.05);
  CHECK(middle > 0.5);
}

TEST_CASE("a uniform stream draws every example independently") {
  const std::vector<std::int32_t> classes(50, 0);
  const auto stream = MakeStream({Order::kUniform, 100, 20}, classes, 7);
  REQUIRE(stream.size() == 2000);
  std::vector<int> seen(50, 0);
  for (const std::uint32_t row : stream) ++seen[row];
  for (const int count : seen) CHECK((count > 15 && count < 70));  // 40 on average
  CHECK(MakeStream({Order::kUniform, 100, 20}, classes, 7) == stream);
  CHECK(MakeStream({Order::kUniform, 100, 20}, classes, 8) != stream);
}

TEST_CASE("generated digits have pinned bits") {
  const Catalog catalog = Known();
  DataRequest request{.name = "usps"};
  request.force_synthetic = true;
  request.rows = 50;
  // If this digest changes, the generator has changed: raise kGeneratorVersion with it.
  CHECK(ContentDigest(Load<float>(catalog.Find("usps"), request, kNoFolder)).substr(0, 16) ==
        "5e623d716dc3d592");
}

// A small data set on disk with the given content.
struct OnDisk {
  testing::TemporaryFolder folder;
  Catalog catalog;
  DataFolders folders;
  explicit OnDisk(const std::string& content, const std::string& sha256 = "", std::size_t rows = 2) {
    folder.Write("mirror/toy/toy.txt", content);
    const std::string text =
        "[toy]\ntitle = 't'\nformat = 'libsvm'\nfeatures = 3\nrange = [-1.0, 1.0]\nlabels = ['-1', '1']\n"
        "kind = 'binary'\nterms = 'none'\nsynthetic = { generator = 'clusters' }\n[toy.train]\nrows = " +
        std::to_string(rows) + "\nfiles = [{ name = 'toy/toy.txt', sha256 = '" +
        (sha256.empty() ? Sha256Hex(content) : sha256) + "' }]\n";
    catalog.Read(folder.Write("catalog.toml", text));
    folders = {folder.File("cache"), folder.File("mirror")};
  }
  Examples<double> Get(DataRequest request = {}) {
    request.name = "toy";
    return Load<double>(catalog.Find("toy"), request, folders);
  }
};

TEST_CASE("loading checks sha256 and the number of rows") {
  OnDisk good("1 1:0.6 2:0.8\n-1 3:-1\n");
  const auto data = good.Get();
  CHECK(data.size() == 2);
  CHECK((data.label(0) == 1 && data.label(1) == -1));
  CHECK_THROWS_WITH(OnDisk("1 1:1\n", std::string(64, '0')).Get(), Contains("toy.txt") && Contains("sha256"));
  CHECK_THROWS_WITH(OnDisk("1 1:1\n").Get(), Contains("has 1 rows, expected 2"));
}

TEST_CASE("values and labels that a format cannot represent are rejected") {
  const testing::TemporaryFolder folder;
  folder.Write("cache/toy.txt", "1 1:1\n-1 2:1\n");
  const DataFolders folders{folder.File("cache"), ""};
  const auto read = [&](const std::string& format, const std::string& kind, const std::string& files) {
    Catalog catalog;
    catalog.Read(folder.Write(
        "c.toml", "[toy]\ntitle = 't'\nformat = '" + format +
                      "'\nfeatures = 3\nrange = [0.0, 1.0]\nkind = '" + kind +
                      "'\nlabels = ['-1', '1']\nterms = 'none'\nsynthetic = { generator = 'clusters' }\n" +
                      "train = { rows = 1, files = [" + files + "] }\n" +
                      "test = { rows = 1, skip = 1, files = [" + files + "] }\n"));
    return Load<float>(catalog.Find("toy"), {.name = "toy"}, folders).size();
  };
  const std::string file = "{ name = 'toy.txt', sha256 = '' }";
  CHECK_THROWS_WITH(read("idx", "real", file), Contains("must not be real: format idx has labels"));
  CHECK_THROWS_WITH(read("idx", "binary", file),
                    Contains("data set 'toy': idx needs an image and a label file"));
  CHECK_THROWS_WITH(read("libsvm", "binary", file + ", " + file), Contains("libsvm needs one file"));
  CHECK_THROWS_WITH(read("libsvm", "binary", file), Contains("parts can share a file only in dense formats"));
  folder.Write("cache/toy.txt", "1,1,2,3\n-1,4,5,6\n");
  CHECK(read("csv", "binary", file) == 1);
}

TEST_CASE("rows can be rescaled, normalised and grouped into two classes") {
  OnDisk disk("1 1:0.6 2:0.8\n-1 3:-1\n");
  DataRequest request;
  request.scale = Range{};  // [-1, 1] -> [0, 1]: absent entries become 0.5
  auto data = disk.Get(request);
  CHECK(data.row(1).values[0] == 0.5);
  CHECK(data.row(1).values[2] == 0);
  CHECK(data.row(0).values[0] == Approx(0.8));
  request.unit_norm = true;
  data = disk.Get(request);
  double norm = 0;
  for (std::size_t j = 0; j < 3; ++j) norm += data.row(0).values[j] * data.row(0).values[j];
  CHECK(norm == Approx(1).epsilon(1e-15));
  const Catalog catalog = Known();
  DataRequest digits{.name = "usps", .positive = {0, 1, 2, 3, 4}};
  digits.rows = 100;
  digits.force_synthetic = true;
  const auto grouped = Load<float>(catalog.Find("usps"), digits, kNoFolder);
  DataRequest plain{.name = "usps"};
  plain.rows = 100;
  plain.force_synthetic = true;
  const auto classes = Load<float>(catalog.Find("usps"), plain, kNoFolder);
  for (std::size_t i = 0; i < 100; ++i) CHECK(grouped.label(i) == (classes.label(i) < 5 ? 1 : -1));
  CHECK(grouped.label_kind() == LabelKind::kBinary);
}

TEST_CASE("part all is train followed by test, with one kind of data") {
  const Catalog catalog = Known();
  DataRequest request{.name = "usps", .part = "all"};
  request.force_synthetic = true;
  request.rows = 30;
  CHECK(Load<float>(catalog.Find("usps"), request, kNoFolder).size() == 60);
  CHECK(PlanData(catalog.Find("usps"), request, kNoFolder).rows == 60);
  request.part = "none";
  CHECK_THROWS_WITH(PlanData(catalog.Find("usps"), request, kNoFolder), Contains("has no part 'none'"));
}

TEST_CASE("a sample is drawn once from all rows, and a longer one contains the shorter") {
  const Catalog catalog = Known();
  const DataRequest request{.name = "usps", .force_synthetic = true, .rows = 200};
  const auto all = Load<float>(catalog.Find("usps"), request, kNoFolder);
  const auto sampled = [&](std::uint64_t count, std::size_t first = 0) {
    DataRequest part = request;
    part.sample = count;
    part.first = first;
    return Subset(all, part);
  };
  const auto some = sampled(50), more = sampled(80);
  CHECK(some.size() == 50);
  CHECK(ContentDigest(some) == ContentDigest(sampled(50)));
  CHECK(ContentDigest(sampled(200)) == ContentDigest(all));
  CHECK(ContentDigest(sampled(300)) == ContentDigest(all));
  // Places of the rows among all rows. No two rows are equal.
  const auto places = [&](const Examples<float>& part) {
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < part.size(); ++i)
      for (std::size_t j = 0; j < all.size(); ++j)
        if (std::equal(part.row(i).values, part.row(i).values + part.row(i).count, all.row(j).values))
          positions.push_back(j);
    return positions;
  };
  const auto of_some = places(some), of_more = places(more);
  REQUIRE(of_some.size() == 50);
  CHECK(std::is_sorted(of_some.begin(), of_some.end()));
  CHECK(std::includes(of_more.begin(), of_more.end(), of_some.begin(), of_some.end()));
  CHECK(of_some.back() >= 100);
  // The first rows of a sample, not a sample of the first rows.
  CHECK(places(sampled(50, 20)) == std::vector<std::size_t>(of_some.begin(), of_some.begin() + 20));
}

}  // namespace
}  // namespace okbench
