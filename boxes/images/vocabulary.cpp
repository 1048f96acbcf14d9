#include "boxes/images/vocabulary.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "base/error.h"
#include "learners/kernels/engine.h"

namespace okbench {
namespace {

// Converts rows to Examples, because the kernel engine has the fastest inner products.
Examples<float> FloatRows(const std::uint8_t* rows, std::size_t count, std::size_t length) {
  return Examples<float>::Dense(length, std::vector<float>(rows, rows + count * length),
                                std::vector<std::int32_t>(count, 0), LabelKind::kMulticlass, 2);
}

// Returns the argmax of product - norm over `count` words; the lowest index wins ties.
// REQUIRES: `count` is a multiple of kLanes.
constexpr std::size_t kLanes = SupportBlocks<float>::kBlock;
std::uint16_t Largest(const float* product, const float* norm, std::size_t count) {
  // The loops over independent lanes are vectorised by the compiler.
  std::array<float, kLanes> best;
  std::array<std::uint32_t, kLanes> place{};
  for (std::size_t l = 0; l < kLanes; ++l) best[l] = product[l] - norm[l];
  for (std::size_t w = kLanes; w < count; w += kLanes)
    for (std::size_t l = 0; l < kLanes; ++l) {
      const float value = product[w + l] - norm[w + l];
      const bool better = value > best[l];
      best[l] = better ? value : best[l];
      place[l] = better ? static_cast<std::uint32_t>(w) : place[l];
    }
  std::size_t first = 0;
  for (std::size_t l = 1; l < kLanes; ++l)
    if (best[l] > best[first] || (best[l] == best[first] && place[l] < place[first])) first = l;
  return static_cast<std::uint16_t>(place[first] + first);
}

}  // namespace

VisualVocabulary::VisualVocabulary(const std::vector<std::uint8_t>& sample, std::size_t length,
                                   std::size_t words, int rounds)
    : length_(length) {
  const std::size_t rows = sample.size() / length;
  if (rows < words)
    throw InvalidArgument(std::to_string(words) + " visual words need at least as many descriptors, got " +
                          std::to_string(rows));
  centres_.assign(sample.begin(), sample.begin() + static_cast<std::ptrdiff_t>(words * length));
  norms_.resize(words);
  for (int round = 0;; ++round) {
    for (std::size_t w = 0; w < words; ++w) {
      float square = 0;
      for (std::size_t d = 0; d < length; ++d) square += centres_[w * length + d] * centres_[w * length + d];
      norms_[w] = square / 2;
    }
    if (round == rounds) return;
    const std::vector<std::uint16_t> nearest = Words(sample);
    std::vector<std::uint64_t> sums(words * length), counts(words);
    for (std::size_t i = 0; i < rows; ++i) {
      ++counts[nearest[i]];
      for (std::size_t d = 0; d < length; ++d) sums[nearest[i] * length + d] += sample[i * length + d];
    }
    for (std::size_t w = 0; w < words; ++w)
      for (std::size_t d = 0; d < length && counts[w] > 0; ++d)
        // Mean, rounded half up.
        sums[w * length + d] = (2 * sums[w * length + d] + counts[w]) / (2 * counts[w]);
    for (std::size_t w = 0; w < words; ++w)
      for (std::size_t d = 0; d < length && counts[w] > 0; ++d)
        centres_[w * length + d] = static_cast<float>(sums[w * length + d]);
  }
}

std::vector<std::uint16_t> VisualVocabulary::Words(const std::vector<std::uint8_t>& rows) const {
  constexpr std::size_t kTile = 512;
  KernelEngine<float> engine(Kernel::Linear());
  const auto centres = Examples<float>::Dense(length_, centres_, std::vector<std::int32_t>(words(), 0),
                                              LabelKind::kMulticlass, 2);
  const auto inputs = engine.Prepare(centres);
  // The engine may choose a binary representation if all values are 0 or 1. This query has other values.
  const std::vector<std::uint8_t> any(length_, 2);
  const Examples<float> query = FloatRows(any.data(), 1, length_);
  SupportBlocks<float> blocks = engine.MakeBlocks(centres, &query);
  for (std::size_t w = 0; w < words(); ++w) blocks.Put(w, inputs, static_cast<std::uint32_t>(w));
  AlignedVector<float> products(kTile * blocks.slots());
  std::vector<float> norms = norms_;
  norms.resize(blocks.slots(), std::numeric_limits<float>::infinity());  // unused slots never win
  std::vector<std::uint16_t> nearest;
  const std::size_t count = rows.size() / length_;
  nearest.reserve(count);
  for (std::size_t first = 0; first < count; first += kTile) {
    const std::size_t n = std::min(kTile, count - first);
    const Examples<float> tile = FloatRows(rows.data() + first * length_, n, length_);
    const auto queries = engine.Prepare(tile);
    engine.Rows(blocks, queries, AllRows(tile), Purpose::kMeasuring, false, products.data(), blocks.slots());
    for (std::size_t i = 0; i < n; ++i) {
      // |x - c|^2 = |x|^2 - 2 (x c - |c|^2 / 2)
      nearest.push_back(Largest(products.data() + i * blocks.slots(), norms.data(), blocks.slots()));
    }
  }
  return nearest;
}

}  // namespace okbench
