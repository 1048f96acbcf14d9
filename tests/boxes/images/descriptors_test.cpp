// Colour planes and descriptors: cases by hand, and pinned digests on a drawn pattern for every compiler.

#include "boxes/images/descriptors.h"

#include <algorithm>
#include <set>

#include "base/sha256.h"
#include "learners/core/random.h"
#include "tests/boxes/images/encoded.h"
#include "tests/catch.h"

namespace okbench {
namespace {

using testing::DrawnPattern;
using testing::Flat;

std::string DigestOf(const std::vector<std::uint8_t>& bytes) {
  return Sha256Hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

TEST_CASE("brightness plane by hand") {
  CHECK(GreyPlane(Flat(2, 1, {9})) == Plane{9, 9});
  CHECK(GreyPlane(Flat(1, 1, {255, 255, 255})) == Plane{255});
  CHECK(GreyPlane(Flat(1, 1, {0, 0, 0})) == Plane{0});
  // 0.299, 0.587 and 0.114 of 255: 76.2, 149.7, 29.1.
  CHECK(GreyPlane(Flat(1, 1, {255, 0, 0})) == Plane{76});
  CHECK(GreyPlane(Flat(1, 1, {0, 255, 0})) == Plane{150});
  CHECK(GreyPlane(Flat(1, 1, {0, 0, 255})) == Plane{29});
  // Every grey level maps to itself.
  for (int v = 0; v < 256; ++v) {
    const auto grey = static_cast<std::uint8_t>(v);
    REQUIRE(GreyPlane(Flat(1, 1, {grey, grey, grey}))[0] == grey);
  }
}

TEST_CASE("hue, saturation and value planes by hand") {
  const auto hsv = [](std::uint8_t r, std::uint8_t g, std::uint8_t b) {
    const std::vector<Plane> planes = HsvPlanes(Flat(1, 1, {r, g, b}));
    return std::vector<int>{planes.at(0).at(0), planes.at(1).at(0), planes.at(2).at(0)};
  };
  using Hsv = std::vector<int>;
  CHECK(hsv(255, 0, 0) == Hsv{0, 255, 255});
  CHECK(hsv(255, 255, 0) == Hsv{30, 255, 255});
  CHECK(hsv(0, 255, 0) == Hsv{60, 255, 255});
  CHECK(hsv(0, 200, 200) == Hsv{90, 255, 200});
  CHECK(hsv(0, 0, 255) == Hsv{120, 255, 255});
  CHECK(hsv(255, 0, 255) == Hsv{150, 255, 255});
  CHECK(hsv(0, 0, 0) == Hsv{0, 0, 0});
  CHECK(hsv(99, 99, 99) == Hsv{0, 0, 99});
  // Orange: 30 * 100/200 = 15. Spread 200 of 250: 204.
  CHECK(hsv(250, 150, 50) == Hsv{15, 204, 250});
  // Just below red: 30 * (6 - 1/255) = 179.88 wraps to 0, 30 * (6 - 5/255) = 179.4 gives 179.
  CHECK(hsv(255, 0, 1)[0] == 0);
  CHECK(hsv(255, 0, 5)[0] == 179);
  // Rounded half up: 30 * 1/4 = 7.5. Saturation 255 / 2 = 127.5.
  CHECK(hsv(200, 50, 0)[0] == 8);
  CHECK(hsv(2, 1, 1)[1] == 128);
  const std::vector<Plane> grey = HsvPlanes(Flat(2, 2, {7}));
  CHECK((grey[0] == Plane(4, 0) && grey[1] == Plane(4, 0) && grey[2] == Plane(4, 7)));
  for (int r = 0; r < 256; r += 15)
    for (int g = 0; g < 256; g += 15)
      for (int b = 0; b < 256; b += 15)
        REQUIRE(hsv(static_cast<std::uint8_t>(r), static_cast<std::uint8_t>(g),
                    static_cast<std::uint8_t>(b))[0] < 180);
}

TEST_CASE("grid points have their patch inside the image") {
  const PatchOptions options{.step = 4, .cell = 4, .cells = 4};
  CHECK((options.side() == 16 && options.length() == 128 && FirstPoint(options) == 8));
  CHECK((PointsAlong(15, options) == 0 && PointsAlong(16, options) == 1 && PointsAlong(19, options) == 1));
  CHECK((PointsAlong(20, options) == 2 && PointsAlong(100, options) == 22));
  CHECK(DenseDescriptors(Plane(15 * 40, 3), 15, 40, options).empty());
  CHECK(DenseDescriptors(Plane(40 * 15, 3), 40, 15, options).empty());
  CHECK(DenseDescriptors(Plane(std::size_t{17} * 21, 3), 17, 21, options).size() == 1 * 2 * 128);
}

// The only orientation with weight on a ramp, or -1 if there are several.
int OnlyOrientation(int dx, int dy, std::uint8_t& largest) {
  const PatchOptions options{.step = 4, .cell = 4, .cells = 2};
  Plane plane;
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 16; ++x)
      plane.push_back(static_cast<std::uint8_t>(125 + dx * (x - 8) + dy * (y - 8)));
  const std::vector<std::uint8_t> all = DenseDescriptors(plane, 16, 16, options);
  REQUIRE(all.size() == 3 * 3 * 32);
  std::set<std::size_t> orientations;
  // The patch in the middle: none of its pixels is at an edge, where differences are halved.
  for (std::size_t i = 0; i < 32; ++i)
    if (all[4 * 32 + i] > 0) orientations.insert(i % 8);
  largest = *std::max_element(all.begin(), all.end());
  return orientations.size() == 1 ? static_cast<int>(*orientations.begin()) : -1;
}

TEST_CASE("descriptors: on a ramp one orientation has all the weight") {
  std::uint8_t largest = 0;
  CHECK(OnlyOrientation(5, 0, largest) == 0);
  // Four cells have the same sum: the norm 512 gives 256 each, clipped to 102, then 256 again, stored as 255.
  CHECK(largest == 255);
  CHECK(OnlyOrientation(0, 5, largest) == 2);
  CHECK(OnlyOrientation(0, -5, largest) == 6);
  // Between the axes, starting at the right, over down and left to up.
  CHECK(OnlyOrientation(5, 2, largest) == 0);
  CHECK(OnlyOrientation(2, 5, largest) == 1);
  CHECK(OnlyOrientation(-2, 5, largest) == 2);
  CHECK(OnlyOrientation(-5, 2, largest) == 3);
  CHECK(OnlyOrientation(-5, -2, largest) == 4);
  CHECK(OnlyOrientation(-2, -5, largest) == 5);
  CHECK(OnlyOrientation(2, -5, largest) == 6);
  CHECK(OnlyOrientation(5, -2, largest) == 7);
}

TEST_CASE("descriptors: a step between two cells by hand") {
  // One patch of 8 x 8 pixels, dark left of x = 5: differences of 100 at x = 4 and 5, which are in the right
  // cells only: two cells with 4 rows of 2 x 100. Each is 512 / sqrt(2) = 362, clipped to 102. The norm is
  // 102 sqrt(2) = 144.2, rounded up to 145: 102 * 512 / 145 = 360, stored as 255.
  Plane plane;
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) plane.push_back(x < 5 ? 20 : 120);
  const auto out = DenseDescriptors(plane, 8, 8, {.step = 4, .cell = 4, .cells = 2});
  std::vector<std::uint8_t> expected(32, 0);
  expected[1 * 8] = expected[3 * 8] = 255;
  CHECK(out == expected);
}

TEST_CASE("descriptors: images without contrast give zeros, and no norm exceeds 512") {
  for (const int cells : {1, 2, 4})
    for (const std::uint8_t level : {std::uint8_t{0}, std::uint8_t{255}}) {
      const auto flat = DenseDescriptors(Plane(std::size_t{40} * 30, level), 40, 30, {.cells = cells});
      CHECK((!flat.empty() &&
             std::count(flat.begin(), flat.end(), 0) == static_cast<std::ptrdiff_t>(flat.size())));
    }
  Random random(5);
  for (int trial = 0; trial < 40; ++trial) {
    const PatchOptions options{.step = 1 + trial % 3, .cell = 6, .cells = 1 + trial % 4};
    Plane plane(std::size_t{31} * 29);
    // From almost no contrast to full contrast.
    const std::uint64_t levels = 2 + random.Below(255);
    for (std::uint8_t& value : plane) value = static_cast<std::uint8_t>(random.Below(levels));
    const auto all = DenseDescriptors(plane, 31, 29, options);
    const auto length = static_cast<std::size_t>(options.length());
    for (std::size_t first = 0; first < all.size(); first += length) {
      std::uint64_t square = 0;
      for (std::size_t i = 0; i < length; ++i) square += std::uint64_t{all[first + i]} * all[first + i];
      REQUIRE(square <= 512 * 512);
      REQUIRE(square > 100 * 100);
    }
  }
}

TEST_CASE("descriptors depend only on their patch and the next pixel around it") {
  const Raster drawn = DrawnPattern(61, 47, 1);
  const PatchOptions options{.step = 4, .cell = 8, .cells = 2};
  const auto all = DenseDescriptors(drawn.pixels, 61, 47, options);
  const int columns = PointsAlong(61, options), rows = PointsAlong(47, options);
  const auto length = static_cast<std::size_t>(options.length());
  REQUIRE(all.size() == static_cast<std::size_t>(columns * rows) * length);
  for (int r = 1; r + 1 < rows; r += 3)
    for (int c = 1; c + 1 < columns; c += 3) {
      // The patch with four pixels around it: its second point in both directions, on the same grid.
      Plane part;
      for (int y = -4; y < options.side() + 4; ++y)
        for (int x = -4; x < options.side() + 4; ++x) part.push_back(*drawn.at(4 * c + x, 4 * r + y));
      const int side = options.side() + 8;
      const auto own = DenseDescriptors(part, side, side, options);
      const std::size_t place = static_cast<std::size_t>(r * columns + c) * length;
      const std::size_t middle = static_cast<std::size_t>(PointsAlong(side, options) + 1) * length;
      REQUIRE(std::equal(own.begin() + static_cast<std::ptrdiff_t>(middle),
                         own.begin() + static_cast<std::ptrdiff_t>(middle + length),
                         all.begin() + static_cast<std::ptrdiff_t>(place)));
    }
}

TEST_CASE("planes and descriptors of a drawn pattern have pinned digests") {
  const Raster drawn = DrawnPattern(97, 71, 3);
  CHECK(DigestOf(drawn.pixels) == "878b6bab81a9876886bb4a3e24ad385800b39fe49fcf6c52409879bab8fb4fe5");
  std::vector<std::uint8_t> planes = GreyPlane(drawn), descriptors;
  for (const Plane& plane : HsvPlanes(drawn)) planes.insert(planes.end(), plane.begin(), plane.end());
  CHECK(DigestOf(planes) == "b84d0f61ccf85b9b1846eebb8fcc5d42f2df1a7ef40538568dfbb14a8ba3ef30");
  for (const PatchOptions& options : {PatchOptions{}, PatchOptions{.step = 3, .cell = 6, .cells = 2}}) {
    const auto more = DenseDescriptors(GreyPlane(drawn), 97, 71, options);
    descriptors.insert(descriptors.end(), more.begin(), more.end());
  }
  CHECK(DigestOf(descriptors) == "b221e089110713bf54f98584cc112b6c974eba545f9c82f02da9b538232cfd98");
}

}  // namespace
}  // namespace okbench
