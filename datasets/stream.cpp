#include "datasets/stream.h"

#include <algorithm>
#include <numeric>

#include "datasets/error.h"
#include "learners/core/random.h"

namespace okbench {
namespace {

constexpr std::uint64_t kCountingLength = 6000;

std::vector<std::uint32_t> CountingSequence(std::span<const std::int32_t> classes, std::uint64_t limit) {
  std::vector<std::vector<std::uint32_t>> rows(10);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i] < 0 || classes[i] > 9)
      throw DataError("the counting sequence needs the ten digits as labels");
    rows[static_cast<std::size_t>(classes[i])].push_back(static_cast<std::uint32_t>(i));
  }
  std::vector<std::size_t> next(10, 0);
  std::vector<std::uint32_t> sequence;
  for (std::uint64_t t = 0; t < limit; ++t) {
    const std::uint64_t counter = t / 3 % 1000;
    const std::uint64_t place = t % 3;
    const auto digit = static_cast<std::size_t>(place == 0   ? counter / 100
                                                : place == 1 ? counter / 10 % 10
                                                             : counter % 10);
    if (next[digit] == rows[digit].size())
      throw DataError("the counting sequence needs more rows of digit " + std::to_string(digit) +
                      " than the " + std::to_string(rows[digit].size()) + " there are");
    sequence.push_back(rows[digit][next[digit]++]);
  }
  return sequence;
}

}  // namespace

const char* OrderName(Order order) {
  return order == Order::kFile ? "file" : order == Order::kPermutation ? "permutation" : "counting";
}

std::uint64_t StreamLength(const StreamSpec& spec, std::uint64_t rows) {
  const std::uint64_t all = spec.order == Order::kCounting ? kCountingLength : rows;
  return (spec.limit > 0 ? std::min(spec.limit, all) : all) * spec.epochs;
}

std::vector<std::uint32_t> MakeStream(const StreamSpec& spec, std::span<const std::int32_t> classes,
                                      std::uint64_t seed) {
  if (classes.empty()) throw DataError("the data set is empty");
  const std::uint64_t per_epoch = StreamLength({spec.order, 1, spec.limit}, classes.size());
  Random random(seed);
  std::vector<std::uint32_t> stream;
  for (std::uint64_t epoch = 0; epoch < spec.epochs; ++epoch) {
    std::vector<std::uint32_t> rows;
    if (spec.order == Order::kCounting) {
      rows = CountingSequence(classes, per_epoch);
    } else {
      rows.resize(classes.size());
      std::iota(rows.begin(), rows.end(), 0U);
      if (spec.order == Order::kPermutation) Shuffle(std::span(rows), random);
      rows.resize(per_epoch);
    }
    stream.insert(stream.end(), rows.begin(), rows.end());
  }
  return stream;
}

}  // namespace okbench
