#include "datasets/text/words.h"

#include <algorithm>
#include <utility>

namespace okbench {
namespace {

// Calls visit(word) for every word. The view is valid only during the call.
template <class Visit>
void ForEachWord(std::string_view text, const Visit& visit) {
  std::string word;
  for (const char c : text) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (lower >= 'a' && lower <= 'z') {
      word += lower;
    } else if (!word.empty()) {
      visit(std::string_view(word));
      word.clear();
    }
  }
  if (!word.empty()) visit(std::string_view(word));
}

}  // namespace

WordIndex::WordIndex(std::span<const std::string> texts) {
  using Entry = decltype(numbers_)::value_type;
  std::vector<Entry*> entries;  // by first occurrence, which is the preliminary number of a word
  for (const std::string& text : texts) {
    own_.emplace_back();
    ForEachWord(text, [&](std::string_view word) {
      auto entry = numbers_.find(word);
      if (entry == numbers_.end()) {
        entry = numbers_.emplace(word, static_cast<std::uint32_t>(entries.size())).first;
        entries.push_back(&*entry);
      }
      own_.back().push_back(entry->second);
    });
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry* a, const Entry* b) { return a->first < b->first; });
  std::vector<std::uint32_t> sorted(entries.size());
  for (std::uint32_t i = 0; i < entries.size(); ++i) sorted[std::exchange(entries[i]->second, i)] = i;
  for (auto& words : own_)
    for (std::uint32_t& word : words) word = sorted[word];
}

std::optional<std::uint32_t> WordIndex::Find(std::string_view word) const {
  const auto entry = numbers_.find(word);
  if (entry == numbers_.end()) return std::nullopt;
  return entry->second;
}

template <class T>
void AddCounts(std::vector<std::uint32_t> words, RawRows<T>& rows) {
  if (rows.offsets.empty()) rows.offsets.push_back(0);
  std::sort(words.begin(), words.end());
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0 && words[i] == words[i - 1]) {
      rows.values.back() += T(1);
      continue;
    }
    rows.indices.push_back(words[i]);
    rows.values.push_back(T(1));
  }
  rows.offsets.push_back(rows.values.size());
}

template <class T>
RawRows<T> CountWords(const WordIndex& vocabulary, std::span<const std::string> texts) {
  RawRows<T> rows;
  rows.features = vocabulary.size();
  for (const std::string& text : texts) {
    std::vector<std::uint32_t> words;
    ForEachWord(text, [&](std::string_view word) {
      if (const auto number = vocabulary.Find(word)) words.push_back(*number);
    });
    AddCounts(std::move(words), rows);
  }
  return rows;
}

template <class T>
RawRows<T> CountOwnWords(const WordIndex& vocabulary) {
  RawRows<T> rows;
  rows.features = vocabulary.size();
  for (const auto& words : vocabulary.own()) AddCounts(words, rows);
  return rows;
}

template RawRows<float> CountWords<float>(const WordIndex&, std::span<const std::string>);
template RawRows<double> CountWords<double>(const WordIndex&, std::span<const std::string>);
template RawRows<float> CountOwnWords<float>(const WordIndex&);
template RawRows<double> CountOwnWords<double>(const WordIndex&);
template void AddCounts<float>(std::vector<std::uint32_t>, RawRows<float>&);
template void AddCounts<double>(std::vector<std::uint32_t>, RawRows<double>&);

}  // namespace okbench
