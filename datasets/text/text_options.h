#pragma once
// What of a message becomes words, and what a word's value is.

namespace okbench {

/// Part of the id of every trial on documents: raised with any change of how messages are cut, split into
/// words or weighed.
inline constexpr int kTextRevision = 1;

/// What of a message is read; its header ends with the first blank line.
enum class TextExtent {
  kHeaders,      ///< everything, all headers included
  kSubjectBody,  ///< the text of its Subject line, and the body
  kBody,         ///< what comes after the header
  kStripped,     ///< the body without footer, quoted lines and their attributions
};

/// The value of a word that a document has tf times.
enum class TermWeights {
  kCounts,  ///< tf
  kTfIdf,   ///< (1 + log tf) log(n / df): df of the n training documents have the word
};

/// As specs write them: headers, subject-body, body, stripped; counts, tf-idf.
const char* ExtentName(TextExtent extent);
const char* WeightsName(TermWeights weights);

}  // namespace okbench
