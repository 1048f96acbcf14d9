#pragma once
// VisualVocabulary: visual words, the centres of a k-means clustering of descriptors. Descriptors and
// centres are bytes with a norm of about 512. Their inner products are integers below 2^24, so float sums are
// exact in any order.

#include <cstdint>
#include <vector>

namespace okbench {

/// Immutable after construction.
class VisualVocabulary {
 public:
  /// Runs Lloyd's algorithm on `sample`, an array of rows of `length` bytes. The centres start at the first
  /// `words` rows. Each of the `rounds` rounds moves them to the rounded means of their nearest rows; a
  /// centre without rows does not move. Throws InvalidArgument for fewer rows than words.
  VisualVocabulary(const std::vector<std::uint8_t>& sample, std::size_t length, std::size_t words,
                   int rounds);

  std::size_t words() const { return norms_.size(); }
  /// Returns the index of the nearest centre of each row; the lowest index wins ties.
  std::vector<std::uint16_t> Words(const std::vector<std::uint8_t>& rows) const;

 private:
  std::size_t length_;
  std::vector<float> centres_;
  std::vector<float> norms_;  // half of the squared norm of each centre
};

}  // namespace okbench
