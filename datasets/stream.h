#pragma once
// Streams: in which order the rows of a data set are shown.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "datasets/fields.h"

namespace okbench {

enum class Order {
  kFile,           ///< rows as the file has them
  kPermutation,    ///< a seeded permutation, a new one each epoch
  kCounting,       ///< digits of a three-digit decimal counter, 000 to 999, twice (figure 5 of svmd-2006)
  kCountingDrawn,  ///< the same counter, its samples of each digit in a seeded order
  kSliding,        ///< mini-batches alone: a window that moves by half its length over seeded permutations
  kUniform,        ///< examples, or mini-batches without replacement, each drawn uniformly anew from all rows
};

inline constexpr Order kOrders[] = {Order::kFile,          Order::kPermutation, Order::kCounting,
                                    Order::kCountingDrawn, Order::kSliding,     Order::kUniform};

struct StreamSpec {
  Order order = Order::kFile;
  std::uint64_t epochs = 1;  ///< passes over the rows, >= 1
  std::uint64_t limit = 0;   ///< rows shown at most in one epoch; 0: all
};

template <MaybeConst<StreamSpec> Object, class Visit>
void VisitFields(Object& stream, const Visit& visit) {
  auto& [order, epochs, limit] = stream;
  visit(identity::Always{"order"}, order);
  visit(identity::Always{"epochs"}, epochs);
  visit(identity::Always{"limit"}, limit);
}

/// Row indices in the order of the stream. The counting sequence takes, for each decimal digit of the
/// counter, the next unused row with that label, in file order or a seeded one: 600 of each digit for its
/// 6000 examples.
/// Throws DataError when a digit runs out.
std::vector<std::uint32_t> MakeStream(const StreamSpec& spec, std::span<const std::int32_t> classes,
                                      std::uint64_t seed);

/// How many examples the stream shows, without making it.
std::uint64_t StreamLength(const StreamSpec& spec, std::uint64_t rows);

const char* OrderName(Order order);

/// The counting sequences.
bool IsCounting(Order order);

/// Rows cut into mini-batches: batch b is rows[starts[b]] .. rows[starts[b + 1] - 1], all different.
struct Batches {
  std::vector<std::uint32_t> rows;
  std::vector<std::size_t> starts;
  std::size_t size() const { return starts.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t b) const {
    return {rows.data() + starts[b], starts[b + 1] - starts[b]};
  }
};

/// Mini-batches of `k` of `rows` rows, 1 <= k <= rows. Passes over the file or a permutation end with a
/// smaller batch when k does not divide them; uniform draws and a sliding window make as many whole batches
/// as come nearest to the epochs, at least one. The window starts anew where a permutation ends. Throws
/// DataError for a bad k or the counting sequence. `spec.limit` is not looked at.
Batches MakeBatches(const StreamSpec& spec, std::uint64_t rows, std::uint64_t k, std::uint64_t seed);

/// How many examples the batches show, without making them.
std::uint64_t BatchesLength(const StreamSpec& spec, std::uint64_t rows, std::uint64_t k);

/// Cross validation: the rows that fold `fold` (0 .. folds-1) holds out of `rows` rows, or those it trains
/// on, in file order. A seeded permutation is dealt out to the folds in turn, so that their sizes differ by
/// one at most. Throws DataError unless 2 <= folds <= rows and fold < folds.
std::vector<std::uint32_t> FoldRows(std::uint64_t rows, std::uint64_t folds, std::uint64_t fold,
                                    bool held_out, std::uint64_t seed);

}  // namespace okbench
