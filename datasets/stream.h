#pragma once
// Streams: in which order the rows of a data set are shown.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace okbench {

enum class Order {
  kFile,         ///< rows as the file has them
  kPermutation,  ///< a seeded permutation, a new one each epoch
  kCounting,     ///< digits of a three-digit decimal counter, 000 to 999, twice (figure 5 of svmd-2006)
};

struct StreamSpec {
  Order order = Order::kFile;
  std::uint64_t epochs = 1;  ///< passes over the rows, >= 1
  std::uint64_t limit = 0;   ///< rows shown at most in one epoch; 0: all
};

/// Row indices in the order of the stream. The counting sequence takes, for each decimal digit of the
/// counter, the next unused row with that label in file order: 600 of each digit for its 6000 examples.
/// Throws DataError when a digit runs out.
std::vector<std::uint32_t> MakeStream(const StreamSpec& spec, std::span<const std::int32_t> classes,
                                      std::uint64_t seed);

/// How many examples the stream shows, without making it.
std::uint64_t StreamLength(const StreamSpec& spec, std::uint64_t rows);

const char* OrderName(Order order);

}  // namespace okbench
