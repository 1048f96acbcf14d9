#pragma once
// Generators: data sets of their own, and synthetic fallbacks of the same shape as a data set; the same bits
// everywhere. Each row has its own seed
// (data set, part, row), so any number of rows can be made, and more rows never change the first ones.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "datasets/catalog.h"
#include "datasets/raw_rows.h"
#include "learners/core/random.h"

namespace okbench {

/// The axis that names synthetic rows in seeds. It decides every synthetic row and must never change; the value
/// is historical.
inline constexpr char kSyntheticAxis[] = "stand" "-in";

/// Version of the generated data; part of its digest. Change it with any change of the rows.
inline constexpr int kGeneratorVersion = 1;

/// `rows` rows of a part of a data set, or standing in for it, from row `first` on. Throws DataError for an
/// unknown generator.
template <class T>
RawRows<T> Generate(const DataSet& set, const std::string& part, std::size_t rows, std::size_t first = 0);

/// Documents of a set whose generator is "topics". Each word is of the whole language or, one in ten, of a
/// node on the way from the root of the classes' tree to the document's class. Both have Zipf's frequencies;
/// a node's words are a random few of the language's. So classes of one group are nearer to each other than
/// to the rest.
class TopicModel {
 public:
  explicit TopicModel(const DataSet& set);
  /// The words of a document, in no order.
  std::vector<std::uint32_t> Draw(std::int32_t label, Random& random) const;

 private:
  /// Words and, up to each of them, the sum of their frequencies.
  struct Words {
    std::vector<std::uint32_t> words;
    std::vector<double> sums;
  };
  static Words ZipfWords(std::vector<std::uint32_t> words);
  static std::uint32_t DrawWord(const Words& from, Random& random);

  std::size_t length_;
  Words language_;
  std::vector<Words> nodes_;
  std::vector<std::vector<std::size_t>> paths_;  // nodes, by class
};

/// One image of a handwritten-like digit: side * side intensities in [0, 1], row by row. Strokes with random
/// slant, size, shift, thickness, wobble and noise.
std::vector<double> DrawDigit(int digit, int side, Random& random);

}  // namespace okbench
