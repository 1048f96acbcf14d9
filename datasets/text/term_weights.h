#pragma once
// Values of words: from counts to tf-idf.

#include <cstdint>
#include <vector>

#include "datasets/raw_rows.h"

namespace okbench {

/// In how many of some documents each word is.
struct DocumentFrequencies {
  std::size_t documents = 0;
  std::vector<std::uint32_t> with;  ///< by word
};

/// Counted in sparse rows without zeros.
template <class T>
DocumentFrequencies CountDocuments(const RawRows<T>& rows);

/// Counts become (1 + log tf) log(n / df), with the same bits everywhere; what is 0 then (a word that all
/// documents have) is left out. No word may have a count here and a frequency of 0.
template <class T>
void WeighTerms(const DocumentFrequencies& frequencies, RawRows<T>& rows);

}  // namespace okbench
