#pragma once
// Words of texts: maximal runs of the letters a to z, converted to lower case. Every other byte is a
// separator.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "datasets/rows/raw_rows.h"

namespace okbench {

/// The distinct words of a list of texts, numbered from 0 in byte order. Immutable.
class WordIndex {
 public:
  explicit WordIndex(std::span<const std::string> texts);
  std::size_t size() const { return numbers_.size(); }
  /// Returns the number of a word, or nullopt.
  std::optional<std::uint32_t> Find(std::string_view word) const;
  /// The word numbers of the texts passed to the constructor, in text order, with repetitions; one list per
  /// text.
  const std::vector<std::vector<std::uint32_t>>& own() const { return own_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const { return std::hash<std::string_view>()(word); }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
  std::vector<std::vector<std::uint32_t>> own_;
};

/// Returns one sparse row of word counts per text. Ignores words outside the vocabulary. Leaves the labels
/// empty.
template <class T>
RawRows<T> CountWords(const WordIndex& vocabulary, std::span<const std::string> texts);

/// Equals CountWords() on the texts passed to the constructor, without tokenising them again.
template <class T>
RawRows<T> CountOwnWords(const WordIndex& vocabulary);

/// Appends a sparse row of counts. `words` are the word numbers of a document in any order, with repetitions.
template <class T>
void AddCounts(std::vector<std::uint32_t> words, RawRows<T>& rows);

}  // namespace okbench
