#pragma once
// Words of texts: the longest runs of letters a to z, upper case taken for lower; every other byte divides.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "datasets/raw_rows.h"

namespace okbench {

/// The words of some texts, numbered from 0 in byte order. Immutable.
class Vocabulary {
 public:
  explicit Vocabulary(std::span<const std::string> texts);
  std::size_t size() const { return numbers_.size(); }
  std::optional<std::uint32_t> Find(std::string_view word) const;
  /// Numbers of the words of the texts it was made of, a list a text.
  const std::vector<std::vector<std::uint32_t>>& own() const { return own_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const { return std::hash<std::string_view>()(word); }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
  std::vector<std::vector<std::uint32_t>> own_;
};

/// A sparse row a text: how often it has each word of the vocabulary. Other words are dropped; labels are
/// left to the caller.
template <class T>
RawRows<T> CountWords(const Vocabulary& vocabulary, std::span<const std::string> texts);

/// The same of the texts that the vocabulary was made of, without reading them again.
template <class T>
RawRows<T> CountOwnWords(const Vocabulary& vocabulary);

/// Adds a sparse row to rows: words, in any order, each as often as it occurs.
template <class T>
void AddCounts(std::vector<std::uint32_t> words, RawRows<T>& rows);

}  // namespace okbench
