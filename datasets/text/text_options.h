#pragma once
// Options of documents: the part of a message that is read, and the value of a word.

namespace okbench {

/// Version of the conversion of documents to rows; part of the id of every trial on documents. Increment it
/// with every change of the extents, the tokenisation or the weights.
inline constexpr int kTextRevision = 1;

/// The part of a message that is read. The first blank line ends the header.
enum class TextExtent {
  kHeaders,      ///< the whole message with all headers
  kSubjectBody,  ///< the text of the Subject field, then the body
  kBody,         ///< the text after the header
  kStripped,     ///< the body without footer, quoted lines and their attributions
};

/// The value of a word that occurs tf times in a document.
enum class TermWeights {
  kCounts,  ///< tf
  kTfIdf,   ///< (1 + log tf) log(n / df), where df of the n training documents contain the word
};

/// Names in specs: headers, subject-body, body, stripped; counts, tf-idf.
const char* ExtentName(TextExtent extent);
const char* WeightsName(TermWeights weights);

}  // namespace okbench
