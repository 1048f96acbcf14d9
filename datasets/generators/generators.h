#pragma once
// Generators of data sets without files, and of synthetic fallbacks with the shape of a data set. The bits
// are the same on every machine. Each row has its own seed, derived from (data set, part, row), so the number
// of rows does not change any row.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "datasets/catalog/catalog.h"
#include "datasets/generators/row_random.h"
#include "datasets/rows/raw_rows.h"
#include "learners/core/random.h"

namespace okbench {

/// Version of the generated data; part of its digest. Increment it with every change of generated rows.
inline constexpr int kGeneratorVersion = 1;

/// Generates rows first .. first + rows - 1 of a part with the generator of the data set. Rounds values to
/// multiples of 1 / integer_scale if that is set. Throws DataError for a generator that is unknown or does
/// not match the kind and shape of the data set.
template <class T>
RawRows<T> Generate(const DataSet& set, const std::string& part, std::size_t rows, std::size_t first = 0);

/// Generator "topics" of documents. With probability 0.9 a word comes from the whole vocabulary. Otherwise it
/// comes from a node on the path from the root of the class tree to the document's class. Words have
/// Zipf-Mandelbrot frequencies. Each node has its own random subset of the vocabulary, so sibling classes are
/// more similar than distant ones. Immutable.
class TopicModel {
 public:
  /// REQUIRES: set.generator.topics is set. Throws DataError for fewer than 20 words or length 0.
  explicit TopicModel(const DataSet& set);
  /// Draws the words of one document of class `label`, unsorted, with repetitions.
  std::vector<std::uint32_t> Draw(std::int32_t label, Random& random) const;

 private:
  /// Words, and the cumulative sums of their frequencies.
  struct Words {
    std::vector<std::uint32_t> words;
    std::vector<double> sums;
  };
  static Words ZipfWords(std::vector<std::uint32_t> words);
  static std::uint32_t DrawWord(const Words& from, Random& random);

  std::size_t length_;
  Words language_;
  std::vector<Words> nodes_;
  std::vector<std::vector<std::size_t>> paths_;  // indices into nodes_, by class
};

/// Draws one image that resembles a handwritten digit: side * side intensities in [0, 1], row-major. Strokes
/// have random slant, size, shift, thickness, wobble and noise.
std::vector<double> DrawDigit(int digit, int side, Random& random);

}  // namespace okbench
