// Words of documents, their counts and weights.

#include "datasets/text/words.h"

#include <cmath>

#include "datasets/text/term_weights.h"
#include "tests/catch.h"

namespace okbench {
namespace {

const std::vector<std::string> kTexts = {"The cat, the DOG",
                                         "a dog's cat\xe9"
                                         "9cat",
                                         "", "the end"};

TEST_CASE("words are runs of letters, numbered in byte order") {
  const WordIndex vocabulary(kTexts);
  const std::vector<std::string> words = {"a", "cat", "dog", "end", "s", "the"};
  REQUIRE(vocabulary.size() == words.size());
  for (std::uint32_t i = 0; i < words.size(); ++i) CHECK(vocabulary.Find(words[i]) == i);
  CHECK(!vocabulary.Find("ca"));
  CHECK(!vocabulary.Find(""));
}

TEST_CASE("counts are sparse rows, words that are not in the vocabulary are dropped") {
  const WordIndex vocabulary(kTexts);
  const auto rows = CountWords<float>(vocabulary, kTexts);
  CHECK(rows.features == 6);
  CHECK(rows.offsets == std::vector<std::size_t>{0, 3, 7, 7, 9});
  CHECK(rows.indices == std::vector<std::uint32_t>{1, 2, 5, 0, 1, 2, 4, 3, 5});
  CHECK(rows.values == std::vector<float>{1, 1, 2, 1, 2, 1, 1, 1, 1});
  const auto own = CountOwnWords<float>(vocabulary);
  CHECK((own.features == 6 && own.offsets == rows.offsets && own.indices == rows.indices));
  CHECK(own.values == rows.values);
  const std::vector<std::string> others = {"the bird the", "bird"};
  const auto other = CountWords<double>(vocabulary, others);
  CHECK(other.offsets == std::vector<std::size_t>{0, 1, 1});
  CHECK((other.indices == std::vector<std::uint32_t>{5} && other.values == std::vector<double>{2}));
}

TEST_CASE("tf-idf: (1 + log tf) log(n / df), and words of all documents are dropped") {
  const std::vector<std::string> texts = {"x x x y", "x y", "x z z"};
  auto rows = CountWords<double>(WordIndex(texts), texts);
  const DocumentFrequencies frequencies = CountDocuments(rows);
  CHECK(frequencies.documents == 3);
  CHECK(frequencies.with == std::vector<std::uint32_t>{3, 2, 1});
  WeighTerms(frequencies, rows);
  CHECK(rows.offsets == std::vector<std::size_t>{0, 1, 2, 3});
  CHECK(rows.indices == std::vector<std::uint32_t>{1, 1, 2});
  const double y = std::log(1.5), z = (1 + std::log(2.0)) * std::log(3.0);
  const std::vector<double> expected = {y, y, z};
  for (std::size_t i = 0; i < 3; ++i) CHECK(rows.values[i] == Approx(expected[i]).epsilon(1e-14));
}

}  // namespace
}  // namespace okbench
