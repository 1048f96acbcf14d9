#pragma once
// Streams: the order in which the rows of a data set are shown to a learner.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"

namespace okbench {

/// Order of the rows.
enum class Order {
  kFile,           ///< file order
  kPermutation,    ///< a new seeded permutation in each epoch
  kCounting,       ///< digits of a three-digit decimal counter, 000 to 999, twice (figure 5 of svmd-2006)
  kCountingDrawn,  ///< the same counter, with the rows of each digit in a seeded order
  kSliding,        ///< mini-batches only: a window that moves by half its length over seeded permutations
  kUniform,        ///< independent uniform draws of examples, or of mini-batches of distinct rows
};

inline constexpr Order kOrders[] = {Order::kFile,          Order::kPermutation, Order::kCounting,
                                    Order::kCountingDrawn, Order::kSliding,     Order::kUniform};

/// Order and length of a stream.
struct StreamSpec {
  Order order = Order::kFile;
  std::uint64_t epochs = 1;  ///< passes over the rows, >= 1
  std::uint64_t limit = 0;   ///< maximum number of rows per epoch; 0: all
  /// Streams: a label becomes known after the prediction of the example this many steps later; none: at once.
  std::optional<std::uint64_t> delay{};
  std::optional<std::string>
      delays{};  ///< streams: sha256 of the delays of the rows (datasets/rows/delays.h)
  /// Streams of binary labels: probability of a positive example, in (0, 1); none: as in the data.
  std::optional<double> positive_share{};
  std::vector<double> class_weights{};  ///< weights of the losses by class, > 0; empty: 1
};

template <MaybeConst<StreamSpec> Object, class Visit>
void VisitFields(Object& stream, const Visit& visit) {
  auto& [order, epochs, limit, delay, delays, positive_share, class_weights] = stream;
  visit(identity::Always{"order"}, order);
  visit(identity::Always{"epochs"}, epochs);
  visit(identity::Always{"limit"}, limit);
  visit(identity::WhenSet{"delay"}, delay);
  visit(identity::WhenSet{"delays"}, delays);
  visit(identity::WhenSet{"positive_share"}, positive_share);
  visit(identity::WhenSet{"class_weights"}, class_weights);
}

/// Returns the row indices in stream order. `classes` are the class indices of all rows. The counting orders
/// take, for each decimal digit of the counter, the next unused row with that label. Their 6000 examples need
/// 600 rows of each digit. With positive_share, each step draws a class, and the next row of that class
/// follows; rows of the other class in between are skipped. Throws DataError for no rows, for kSliding, and
/// for counting orders with too few rows of a digit or with class indices outside 0 .. 9; for positive_share
/// if a class has too few rows.
std::vector<std::uint32_t> MakeStream(const StreamSpec& spec, std::span<const std::int32_t> classes,
                                      std::uint64_t seed);

/// Whether labels arrive late.
inline bool Late(const StreamSpec& spec) { return spec.delay || spec.delays; }

/// Returns the number of examples of MakeStream().
std::uint64_t StreamLength(const StreamSpec& spec, std::uint64_t rows);

/// Returns the name of an order in specs.
const char* OrderName(Order order);

/// Returns true for kCounting and kCountingDrawn.
bool IsCounting(Order order);

/// A sequence of mini-batches. Batch b is rows[starts[b]] .. rows[starts[b + 1] - 1], without repeated rows.
struct Batches {
  std::vector<std::uint32_t> rows;
  std::vector<std::size_t> starts;
  std::size_t size() const { return starts.empty() ? 0 : starts.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t b) const {
    return {rows.data() + starts[b], starts[b + 1] - starts[b]};
  }
};

/// Returns mini-batches of `k` out of `rows` rows. In file and permutation order the last batch of an epoch
/// is smaller if k does not divide `rows`. kUniform and kSliding make max(1, round(epochs * rows / k)) full
/// batches. A window that does not fit into the rest of a permutation starts a new permutation. Ignores
/// `spec.limit`.
/// Throws DataError unless 1 <= k <= rows, and for counting orders.
Batches MakeBatches(const StreamSpec& spec, std::uint64_t rows, std::uint64_t k, std::uint64_t seed);

/// Returns the number of examples of MakeBatches().
std::uint64_t BatchesLength(const StreamSpec& spec, std::uint64_t rows, std::uint64_t k);

/// Returns the held-out rows of a cross-validation fold, or its training rows, in file order. Row number p of
/// a seeded permutation belongs to fold p mod folds, so fold sizes differ by at most one.
/// Throws DataError unless 2 <= folds <= rows and fold < folds.
std::vector<std::uint32_t> FoldRows(std::uint64_t rows, std::uint64_t folds, std::uint64_t fold,
                                    bool held_out, std::uint64_t seed);

}  // namespace okbench
