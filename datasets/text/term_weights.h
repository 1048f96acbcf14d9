#pragma once
// Term weights: converts word counts to tf-idf.

#include <cstdint>
#include <vector>

#include "datasets/rows/raw_rows.h"

namespace okbench {

/// Document frequencies of words.
struct DocumentFrequencies {
  std::size_t documents = 0;
  std::vector<std::uint32_t> with;  ///< number of documents that contain the word, by word
};

/// Counts the document frequencies. REQUIRES: `rows` is sparse and stores no zeros.
template <class T>
DocumentFrequencies CountDocuments(const RawRows<T>& rows);

/// Replaces each count tf by (1 + log tf) log(n / df), with the same bits on every machine. Removes entries
/// that become 0, which are words of all documents. REQUIRES: every word of `rows` has a document frequency >
/// 0.
template <class T>
void WeighTerms(const DocumentFrequencies& frequencies, RawRows<T>& rows);

}  // namespace okbench
