#include "boxes/images/descriptors.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>

#include "learners/core/vectorised.h"

namespace okbench {
namespace {

constexpr int kOrientations = 8;
constexpr std::uint32_t kNorm = 512;
constexpr std::uint32_t kCut = 102;  // a fifth of the norm

// floor(sqrt(value)).
std::int64_t IntegerRoot(std::int64_t value) {
  auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(value)));
  // A double does not hold every integer above 2^53.
  while (root * root > value) --root;
  while ((root + 1) * (root + 1) <= value) ++root;
  return root;
}

// ceil(sqrt(value)). Division by it never exceeds the intended norm.
std::int64_t RootAbove(std::int64_t value) {
  const std::int64_t root = IntegerRoot(value);
  return root * root == value ? root : root + 1;
}

// Returns the octant 0 .. 7 of a gradient's orientation without a division.
int Octant(int dx, int dy) {
  const int quadrant = dx > 0 && dy >= 0 ? 0 : dx <= 0 && dy > 0 ? 1 : dx < 0 ? 2 : 3;
  const int x = std::abs(dx), y = std::abs(dy);
  const bool second = quadrant % 2 == 0 ? y > x : x > y;
  return 2 * quadrant + (second ? 1 : 0);
}

// Length and octant of a gradient, tabulated for differences of -255 .. 255.
struct Gradient {
  std::uint16_t length;
  std::uint8_t octant;
};
const std::vector<Gradient>& Gradients() {
  static const std::vector<Gradient> table = [] {
    std::vector<Gradient> all;
    all.reserve(511 * 511);
    for (int dy = -255; dy <= 255; ++dy)
      for (int dx = -255; dx <= 255; ++dx)
        all.push_back({static_cast<std::uint16_t>(IntegerRoot(dx * dx + dy * dy)),
                       static_cast<std::uint8_t>(Octant(dx, dy))});
    return all;
  }();
  return table;
}

// floor(a / b) for integers below 2^31. The quotient of doubles is never rounded up to the next integer.
std::uint32_t Quotient(std::uint32_t a, double b) {
  return static_cast<std::uint32_t>(static_cast<double>(a) / b);
}

// Scales the sums to norm kNorm, clips them at kCut, and scales them again. Overwrites `sums`.
OKBENCH_VECTORISED
void Normalise(std::uint32_t* sums, int length, std::uint8_t* out) {
  std::int64_t square = 0, left = 0;
  for (int i = 0; i < length; ++i) square += std::int64_t{sums[i]} * sums[i];
  if (square == 0) {
    std::fill_n(out, length, std::uint8_t{0});
    return;
  }
  const auto norm = static_cast<double>(RootAbove(square));
  for (int i = 0; i < length; ++i) {
    sums[i] = std::min(kCut, Quotient(sums[i] * kNorm, norm));
    left += sums[i] * sums[i];
  }
  const auto rest = static_cast<double>(std::max<std::int64_t>(RootAbove(left), 1));
  for (int i = 0; i < length; ++i)
    out[i] = static_cast<std::uint8_t>(std::min(Quotient(sums[i] * kNorm, rest), 255U));
}

}  // namespace

Plane GreyPlane(const Raster& image) {
  if (image.channels == 1) return image.pixels;
  Plane grey(image.pixels.size() / 3);
  for (std::size_t i = 0; i < grey.size(); ++i) {
    const std::uint8_t* p = image.pixels.data() + 3 * i;
    grey[i] = static_cast<std::uint8_t>((4899U * p[0] + 9617U * p[1] + 1868U * p[2] + (1U << 13)) >> 14);
  }
  return grey;
}

std::vector<Plane> HsvPlanes(const Raster& image) {
  const auto channels = static_cast<std::size_t>(image.channels);
  const std::size_t n = image.pixels.size() / channels;
  std::vector<Plane> planes(3, Plane(n));
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint8_t* p = image.pixels.data() + channels * i;
    const int r = p[0], g = p[channels / 2], b = p[channels - 1];
    const int most = std::max({r, g, b}), spread = most - std::min({r, g, b});
    planes[2][i] = static_cast<std::uint8_t>(most);
    if (spread == 0) continue;
    planes[1][i] = static_cast<std::uint8_t>((2 * 255 * spread + most) / (2 * most));
    // 30 steps are a sixth of the circle. The factor 2 rounds half up; adding 6 sixths makes the value
    // positive.
    const int sixth = most == r ? g - b : most == g ? b - r + 2 * spread : r - g + 4 * spread;
    const int hue = (2 * 30 * (sixth + 6 * spread) + spread) / (2 * spread) % 180;
    planes[0][i] = static_cast<std::uint8_t>(hue);
  }
  return planes;
}

int PointsAlong(int pixels, const PatchOptions& options) {
  return pixels < options.side() ? 0 : (pixels - options.side()) / options.step + 1;
}

std::vector<std::uint8_t> DenseDescriptors(const Plane& plane, int width, int height,
                                           const PatchOptions& options) {
  const int columns = PointsAlong(width, options), rows = PointsAlong(height, options);
  if (columns == 0 || rows == 0) return {};
  const std::vector<Gradient>& gradients = Gradients();
  // Cells start at multiples of the step. First sum over blocks of step x step pixels, then over cells.
  const int step = options.step, per_cell = options.cell / step;
  const int across = width / step, down = height / step;
  std::vector<std::uint32_t> blocks(static_cast<std::size_t>(across * down) * kOrientations);
  for (int y = 0; y < down * step; ++y) {
    const std::uint8_t* row = plane.data() + static_cast<std::ptrdiff_t>(y) * width;
    const std::uint8_t* above = plane.data() + static_cast<std::ptrdiff_t>(std::max(y - 1, 0)) * width;
    const std::uint8_t* below =
        plane.data() + static_cast<std::ptrdiff_t>(std::min(y + 1, height - 1)) * width;
    std::uint32_t* to = blocks.data() + static_cast<std::ptrdiff_t>(y / step * across) * kOrientations;
    for (int x = 0; x < across * step; ++x) {
      const int dx = row[std::min(x + 1, width - 1)] - row[std::max(x - 1, 0)];
      const int dy = below[x] - above[x];
      const Gradient& gradient =
          gradients[static_cast<std::size_t>(dy + 255) * 511 + static_cast<std::size_t>(dx + 255)];
      to[x / step * kOrientations + gradient.octant] += gradient.length;
    }
  }
  // cells[j][i] holds the sums of the cell whose first block is column i, row j.
  const int cells_across = across - per_cell + 1, cells_down = down - per_cell + 1;
  std::vector<std::uint32_t> cells(static_cast<std::size_t>(cells_across * cells_down) * kOrientations);
  for (int j = 0; j < cells_down; ++j)
    for (int i = 0; i < cells_across; ++i) {
      std::uint32_t* to = cells.data() + static_cast<std::ptrdiff_t>(j * cells_across + i) * kOrientations;
      for (int v = 0; v < per_cell; ++v)
        for (int u = 0; u < per_cell; ++u) {
          const std::uint32_t* from =
              blocks.data() + static_cast<std::ptrdiff_t>((j + v) * across + i + u) * kOrientations;
          for (int o = 0; o < kOrientations; ++o) to[o] += from[o];
        }
    }
  const int length = options.length();
  std::vector<std::uint8_t> out(static_cast<std::size_t>(columns * rows) * static_cast<std::size_t>(length));
  std::vector<std::uint32_t> sums(static_cast<std::size_t>(length));
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      std::uint32_t* to = sums.data();
      for (int v = 0; v < options.cells; ++v)
        for (int u = 0; u < options.cells; ++u, to += kOrientations)
          std::copy_n(cells.data() +
                          static_cast<std::ptrdiff_t>((r + v * per_cell) * cells_across + c + u * per_cell) *
                              kOrientations,
                      kOrientations, to);
      Normalise(sums.data(), length, out.data() + static_cast<std::ptrdiff_t>(r * columns + c) * length);
    }
  return out;
}

}  // namespace okbench
