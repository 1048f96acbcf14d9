#include "boxes/images/scale.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace okbench {
namespace {

// floor(a / b), b > 0.
std::int64_t FloorQuotient(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }
// a / b, rounded half up.
std::int64_t RoundedQuotient(std::int64_t a, std::int64_t b) { return FloorQuotient(2 * a + b, 2 * b); }

// Cubic kernel. Piecewise polynomials are exact, while the sines of a Lanczos kernel differ between math
// libraries. `distance` is fixed point with 16 fractional bits, the result with 20.
std::int64_t CubicKernel(std::int64_t distance) {
  constexpr std::int64_t kOne = std::int64_t{1} << 16;
  const std::int64_t t = std::abs(distance), square = t * t;
  if (t >= 2 * kOne) return 0;
  const std::int64_t twice = t < kOne ? (3 * t - 5 * kOne) * square + 2 * kOne * kOne * kOne
                                      : ((5 * kOne - t) * t - 8 * kOne * kOne) * t + 4 * kOne * kOne * kOne;
  return RoundedQuotient(twice, std::int64_t{1} << (3 * 16 + 1 - 20));
}

// The old rows and weights of a new row. The weights sum to 2^20. Weighted sums of bytes stay below 2^31 for
// every ratio: rounding at most doubles a weight, and the weights of one sign sum to less than twice the
// total.
constexpr int kWeightBits = 20;
struct CubicTaps {
  std::int64_t first = 0;
  std::vector<std::int32_t> weights;
};

// Computes the weights of new row o. The centre of old row i lies ((2i + 1) to - (2o + 1) from) / (2 from)
// new rows from the centre of new row o.
void MakeTaps(std::int64_t from, std::int64_t to, std::int64_t o, CubicTaps& taps) {
  const auto row_at = [&](std::int64_t halves) { return FloorQuotient(halves * from, 2 * to); };
  taps.first = std::max<std::int64_t>(row_at(2 * o + 1 - 4) - 1, 0);
  const std::int64_t end = std::min(row_at(2 * o + 1 + 4) + 2, from);
  taps.weights.clear();
  std::int64_t sum = 0;  // > 0, because the nearest old row is at most half a new row away
  for (std::int64_t i = taps.first; i < end; ++i) {
    const std::int64_t distance = (2 * i + 1) * to - (2 * o + 1) * from;
    const std::int64_t weight = CubicKernel(RoundedQuotient(distance * (1 << 16), 2 * from));
    taps.weights.push_back(static_cast<std::int32_t>(weight));
    sum += weight;
  }
  std::int32_t rest = 1 << kWeightBits;
  for (std::int32_t& weight : taps.weights) {
    weight = static_cast<std::int32_t>(RoundedQuotient(std::int64_t{weight} * (1 << kWeightBits), sum));
    rest -= weight;
  }
  *std::max_element(taps.weights.begin(), taps.weights.end()) += rest;
}

Raster ShrinkHeight(const Raster& image, int to) {
  Raster out{image.width, to, image.channels, {}};
  const std::size_t row = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.channels);
  out.pixels.resize(row * static_cast<std::size_t>(to));
  CubicTaps taps;
  std::vector<std::int32_t> sums(row);
  for (int o = 0; o < to; ++o) {
    MakeTaps(image.height, to, o, taps);
    std::fill(sums.begin(), sums.end(), 1 << (kWeightBits - 1));
    for (std::size_t i = 0; i < taps.weights.size(); ++i) {
      const std::uint8_t* from = image.pixels.data() + (static_cast<std::size_t>(taps.first) + i) * row;
      const std::int32_t weight = taps.weights[i];
      for (std::size_t x = 0; x < row; ++x) sums[x] += weight * from[x];
    }
    std::uint8_t* into = out.pixels.data() + static_cast<std::size_t>(o) * row;
    for (std::size_t x = 0; x < row; ++x)
      into[x] = static_cast<std::uint8_t>(std::clamp(sums[x] >> kWeightBits, 0, 255));
  }
  return out;
}

// Exchanges rows and columns.
Raster Transposed(const Raster& image) {
  Raster out{image.height, image.width, image.channels, {}};
  out.pixels.resize(image.pixels.size());
  std::uint8_t* into = out.pixels.data();
  for (int x = 0; x < image.width; ++x)
    for (int y = 0; y < image.height; ++y)
      for (int c = 0; c < image.channels; ++c) *into++ = image.at(x, y)[c];
  return out;
}

}  // namespace

Raster ScaleDown(const Raster& image, int longer_side) {
  const int longer = std::max(image.width, image.height);
  if (longer <= longer_side || image.pixels.empty()) return image;
  const auto scaled = [&](int side) {
    return static_cast<int>(
        std::max<std::int64_t>(RoundedQuotient(std::int64_t{side} * longer_side, longer), 1));
  };
  return ShrinkHeight(Transposed(ShrinkHeight(Transposed(image), scaled(image.width))), scaled(image.height));
}

Box ScaleBox(const Box& box, int width, int height, int new_width, int new_height) {
  const auto scaled = [](int x, int from, int to) {
    return static_cast<int>(std::clamp<std::int64_t>(RoundedQuotient(std::int64_t{x} * to, from), 0, to));
  };
  return {.left = scaled(box.left, width, new_width),
          .top = scaled(box.top, height, new_height),
          .right = scaled(box.right, width, new_width),
          .bottom = scaled(box.bottom, height, new_height)};
}

}  // namespace okbench
