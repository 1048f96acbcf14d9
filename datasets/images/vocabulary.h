#pragma once
// Vocabulary: visual words, the centres of a k-means clustering of descriptors. In integers: descriptors and
// centres are bytes with a norm of about 512, so that inner products stay below 2^24 and are exact in float,
// too, whatever the order of their sums.

#include <cstdint>
#include <vector>

namespace okbench {

class Vocabulary {
 public:
  /// Lloyd's algorithm on `sample`, rows of `length` bytes: centres start at the first `words` rows, are
  /// moved to the rounded means of their rows `rounds` times, and stay where they have none. Throws
  /// InvalidArgument for fewer rows than words.
  Vocabulary(const std::vector<std::uint8_t>& sample, std::size_t length, std::size_t words, int rounds);

  std::size_t words() const { return norms_.size(); }
  /// The nearest centre of each row, the lowest among equals.
  std::vector<std::uint16_t> Words(const std::vector<std::uint8_t>& rows) const;

 private:
  std::size_t length_;
  std::vector<float> centres_;
  std::vector<float> norms_;  // half of the squared norms
};

}  // namespace okbench
