// Vocabularies of hand-made clusters, the visual words of images, and their cache.

#include "boxes/images/words.h"

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/sha256.h"
#include "boxes/images/raster.h"
#include "boxes/images/vocabulary.h"
#include "tests/boxes/images/encoded.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using testing::DrawnPattern;
using Words = std::vector<std::uint16_t>;

TEST_CASE("vocabulary: two clusters by hand") {
  // Two clusters. Both initial centres are in one of them, and separate in later rounds.
  const std::vector<std::uint8_t> sample = {0, 0, 2, 2, 200, 201, 203, 200, 1, 1};
  const VisualVocabulary words(sample, 2, 2, 10);
  CHECK(words.words() == 2);
  // Centres (1, 1), and (201.5, 200.5) rounded half up.
  CHECK(words.Words(sample) == Words{0, 0, 1, 1, 0});
  CHECK(words.Words({101, 101, 102, 101, 255, 0}) == Words{0, 1, 1});
  // Without a round centres are the first rows; the lowest among equals: (1, 1) is as far from both.
  const VisualVocabulary start(sample, 2, 2, 0);
  CHECK(start.Words({1, 1, 2, 1, 0, 1}) == Words{0, 1, 0});
  // A mean of 10.5 is 11; then 15 is as far from 11 as from 19.
  const VisualVocabulary up({10, 19, 11}, 1, 2, 1);
  CHECK(up.Words({14, 15, 16}) == Words{0, 0, 1});
  // A centre without rows stays: both start at 5, the first gets all: (5 + 5 + 9) / 3 = 6, then it has the 9.
  const VisualVocabulary stays({5, 5, 9}, 1, 2, 10);
  CHECK(stays.Words({5, 6, 7, 8, 9}) == Words{1, 1, 0, 0, 0});
  CHECK_THROWS_WITH(VisualVocabulary({1, 2, 3, 4}, 2, 3, 1),
                    "3 visual words need at least as many descriptors, got 2");
}

TEST_CASE("vocabulary: the nearest of many words agrees with plain sums, ties go to the lowest") {
  Random random(11);
  for (int trial = 0; trial < 6; ++trial) {
    const std::size_t length = 1 + random.Below(40), words = 1 + random.Below(90), rows = 700;
    std::vector<std::uint8_t> sample(rows * length);
    // Few distinct values, so ties are common.
    for (std::uint8_t& value : sample) value = static_cast<std::uint8_t>(random.Below(trial < 3 ? 3 : 90));
    const VisualVocabulary vocabulary(sample, length, words, 0);
    const Words assignments = vocabulary.Words(sample);
    REQUIRE(assignments.size() == rows);
    for (std::size_t i = 0; i < rows; ++i) {
      std::size_t best = 0;
      std::int64_t least = -1;
      for (std::size_t w = 0; w < words; ++w) {
        std::int64_t distance = 0;
        for (std::size_t d = 0; d < length; ++d) {
          const std::int64_t apart = std::int64_t{sample[i * length + d]} - sample[w * length + d];
          distance += apart * apart;
        }
        if (least >= 0 && distance >= least) continue;
        least = distance;
        best = w;
      }
      REQUIRE(assignments[i] == best);
    }
  }
}

std::vector<EncodedImage> PatternImages() {
  Raster turned = DrawnPattern(40, 52, 3);
  std::reverse(turned.pixels.begin(), turned.pixels.end());
  return {{.name = "a", .bytes = EncodeNetpbm(DrawnPattern(49, 40, 3)), .trains = true},
          {.name = "b", .bytes = EncodeNetpbm(turned), .trains = true},
          {.name = "c", .bytes = EncodeNetpbm(DrawnPattern(24, 24, 1)), .trains = false}};
}

constexpr WordOptions kWordOptions{.count = 12, .colour = true, .step = 4, .cell = 4, .cells = 2};

bool Same(const WordMaps& a, const WordMaps& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const auto& x, const auto& y) {
           return x.first == y.first && x.second.name == y.second.name && x.second.width == y.second.width &&
                  x.second.height == y.second.height && x.second.first == y.second.first &&
                  x.second.step == y.second.step && x.second.columns == y.second.columns &&
                  x.second.rows == y.second.rows && x.second.planes == y.second.planes &&
                  x.second.points == y.second.points;
         });
}

TEST_CASE("visual words of drawn images have a pinned digest") {
  std::vector<std::size_t> heard;
  const WordMaps maps =
      MakeWords("set", PatternImages(), kWordOptions, [&](std::size_t done, std::size_t all) {
        CHECK(all == 3);
        heard.push_back(done);
      });
  CHECK(heard == std::vector<std::size_t>{1, 2, 3});
  REQUIRE(maps.size() == 3);
  const WordImage& a = maps.at("a");
  CHECK((a.name == "a" && a.width == 49 && a.height == 40 && a.first == 4 && a.step == 4));
  CHECK((a.columns == 11 && a.rows == 9 && a.planes == 4 && a.objects.empty()));
  std::string bytes;
  for (const auto& [name, image] : maps) {
    REQUIRE(image.points.size() == static_cast<std::size_t>(image.columns * image.rows * image.planes));
    const auto points = static_cast<std::size_t>(image.columns * image.rows);
    for (std::size_t p = 0; p < image.points.size(); ++p) {
      // Grey words first, then words of hue, saturation and value.
      REQUIRE(image.points[p] < 24);
      REQUIRE((image.points[p] < 12) == (p < points));
      bytes += std::to_string(image.points[p]) + " ";
    }
  }
  CHECK(Sha256Hex(bytes) == "9d6bf84c0fda8a753b4d8dbef0a3c261b640807850ca4f5dfacfb21a886532ec");
  WordOptions grey = kWordOptions;
  grey.colour = false;
  const WordMaps less = MakeWords("set", PatternImages(), grey, nullptr);
  CHECK(less.at("b").planes == 1);
  CHECK(std::equal(less.at("b").points.begin(), less.at("b").points.end(), maps.at("b").points.begin()));
  CHECK((grey.words() == 12 && kWordOptions.words() == 24));
}

TEST_CASE("images outside the training part do not change the words of others") {
  std::vector<EncodedImage> images = PatternImages();
  const WordMaps before = MakeWords("set", images, kWordOptions, nullptr);
  images[2].bytes = EncodeNetpbm(DrawnPattern(30, 44, 3));
  const WordMaps after = MakeWords("set", images, kWordOptions, nullptr);
  CHECK(after.at("a").points == before.at("a").points);
  CHECK(after.at("c").points != before.at("c").points);
}

TEST_CASE("images without descriptors are rejected") {
  std::vector<EncodedImage> images = PatternImages();
  images[2].bytes = EncodeNetpbm(DrawnPattern(7, 40, 1));
  CHECK_THROWS_WITH(MakeWords("set", images, kWordOptions, nullptr),
                    "set: c: is smaller than a descriptor's patch of 8 pixels");
  images[2].bytes = "no image";
  CHECK_THROWS_WITH(MakeWords("set", images, kWordOptions, nullptr), Catch::StartsWith("set: c: not a JPEG"));
  images = PatternImages();
  WordOptions many = kWordOptions;
  many.count = 500;
  CHECK_THROWS_WITH(MakeWords("set", images, many, nullptr),
                    Catch::StartsWith("set: 500 visual words need at least as many descriptors, got "));
  for (EncodedImage& image : images) image.trains = false;
  CHECK_THROWS_AS(MakeWords("set", images, kWordOptions, nullptr), DataError);
  CHECK_THROWS_AS(MakeWords("set", {}, kWordOptions, nullptr), DataError);
}

// Words from the cache folder, and how often they were computed.
struct Cache {
  std::string folder;
  int computations = 0;
  WordMaps Get(const std::string& identity = "id", const WordOptions& options = kWordOptions) {
    return CachedWords(folder, "set", identity, options, [&] {
      ++computations;
      return PatternImages();
    });
  }
};

TEST_CASE("word cache: words are read back equal, and recomputed if their file is damaged") {
  const testing::TemporaryFolder folder;
  Cache cache{folder.path().string()};
  CHECK(!FindWords(cache.folder, "id", kWordOptions).valid);
  const WordMaps maps = cache.Get();
  const WordsFile file = FindWords(cache.folder, "id", kWordOptions);
  CHECK((file.valid && file.path.starts_with(cache.folder) && file.path.ends_with(".words")));
  CHECK(Same(maps, MakeWords("set", PatternImages(), kWordOptions, nullptr)));
  CHECK(Same(cache.Get(), maps));
  CHECK(cache.computations == 1);
  // No temporary file remains.
  const std::filesystem::path parent = std::filesystem::path(file.path).parent_path();
  CHECK(std::distance(std::filesystem::directory_iterator(parent), {}) == 1);

  std::ifstream in(file.path, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  const auto damage = [&](const std::string& bytes) {
    std::ofstream(file.path, std::ios::binary) << bytes;
    INFO("bytes " << bytes.size());
    CHECK(!FindWords(cache.folder, "id", kWordOptions).valid);
    const int before = cache.computations;
    CHECK(Same(cache.Get(), maps));
    CHECK(cache.computations == before + 1);
    CHECK(Same(cache.Get(), maps));
    CHECK(cache.computations == before + 1);
  };
  for (const std::size_t place : {std::size_t{0}, std::size_t{20}, std::size_t{100}, whole.size() - 1}) {
    std::string bytes = whole;
    bytes[place] = static_cast<char>(bytes[place] ^ 1);
    damage(bytes);
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{7}, std::size_t{60}, whole.size() - 1})
    damage(whole.substr(0, length));
  damage(whole + "x");
}

TEST_CASE("word cache: other content and other options give other words") {
  const testing::TemporaryFolder folder;
  Cache cache{folder.path().string()};
  cache.Get();
  cache.Get("other");
  CHECK(cache.computations == 2);
  for (int change = 0; change < 5; ++change) {
    WordOptions options = kWordOptions;
    if (change == 0) options.count = 11;
    if (change == 1) options.colour = false;
    if (change == 2) options.step = 2;
    if (change == 3) options.cell = 8;
    if (change == 4) options.cells = 1;
    CHECK(FindWords(cache.folder, "id", options).path != FindWords(cache.folder, "id", kWordOptions).path);
    cache.Get("id", options);
    CHECK(cache.computations == 3 + change);
  }
}

TEST_CASE("word cache: an unwritable folder is not an error, and computed words are reported") {
  const testing::TemporaryFolder folder;
  // A file where a folder is expected: nobody can write there, not even root.
  Cache cache{folder.Write("taken", "") + "/below"};
  std::string heard;
  SetWordsProgress([&](const std::string& name, std::size_t done, std::size_t all) {
    heard += name + std::to_string(done) + "/" + std::to_string(all) + " ";
  });
  const WordMaps first = cache.Get();
  SetWordsProgress(nullptr);
  CHECK(heard == "set1/3 set2/3 set3/3 ");
  CHECK(Same(first, cache.Get()));
  CHECK(cache.computations == 2);
  // A folder in place of the file.
  Cache blocked{folder.path().string()};
  std::filesystem::create_directories(FindWords(blocked.folder, "id", kWordOptions).path);
  CHECK(Same(first, blocked.Get()));
  CHECK(Same(first, blocked.Get()));
  CHECK(blocked.computations == 2);
}

}  // namespace
}  // namespace okbench
