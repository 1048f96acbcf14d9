// Generator "shapes": synthetic images with one object.

#include <algorithm>

#include "boxes/images/load_images.h"
#include "boxes/images/raster.h"
#include "learners/core/random.h"

namespace okbench {
namespace {

constexpr int kWidth = 160, kHeight = 120;

// Paints a textured background: blocks of random brightness with noise.
void PaintGround(Raster& raster, Random& random) {
  constexpr int kBlock = 10;
  for (int y = 0; y < raster.height; y += kBlock)
    for (int x = 0; x < raster.width; x += kBlock) {
      const auto level = static_cast<int>(random.Below(60));
      for (int v = y; v < std::min(y + kBlock, raster.height); ++v)
        for (int u = x; u < std::min(x + kBlock, raster.width); ++u)
          for (int c = 0; c < 3; ++c)
            *(raster.pixels.data() + static_cast<std::ptrdiff_t>(v * raster.width + u) * 3 + c) =
                static_cast<std::uint8_t>(60 + level + static_cast<int>(random.Below(20)));
    }
}

// Paints an ellipse that fills the box: with diagonal stripes for the object, plain for a distractor.
void PaintEllipse(Raster& raster, const Box& box, bool striped) {
  const std::int64_t a = box.width(), b = box.height();
  for (int y = box.top; y < box.bottom; ++y)
    for (int x = box.left; x < box.right; ++x) {
      const std::int64_t dx = 2 * (x - box.left) + 1 - a, dy = 2 * (y - box.top) + 1 - b;
      if (dx * dx * b * b + dy * dy * a * a > a * a * b * b) continue;
      const bool bright = striped ? (x + y) / 4 % 2 == 0 : true;
      auto* p = raster.pixels.data() + static_cast<std::ptrdiff_t>((y * raster.width + x) * 3);
      p[0] = bright ? 230 : 30;
      p[1] = bright ? 190 : 20;
      p[2] = striped ? 40 : 200;
    }
}

Box RandomBox(int width, int height, Random& random) {
  const auto left = static_cast<int>(random.Below(static_cast<std::uint64_t>(kWidth - width)));
  const auto top = static_cast<int>(random.Below(static_cast<std::uint64_t>(kHeight - height)));
  return {left, top, left + width, top + height};
}

}  // namespace

std::vector<SourceImage> DrawShapes(const DataSet& set, const std::string& part, std::size_t count) {
  std::vector<SourceImage> images;
  for (std::size_t i = 0; i < count; ++i) {
    Random random(DeriveSeed({{"data", set.name}, {"part", part}, {"row", std::to_string(i)}}));
    Raster raster{.width = kWidth, .height = kHeight, .channels = 3, .pixels = {}};
    raster.pixels.resize(std::size_t{3} * kWidth * kHeight);
    PaintGround(raster, random);
    for (int blob = 0; blob < 3; ++blob) {
      // Separate statements, because the evaluation order of arguments is unspecified.
      const auto high = 16 + static_cast<int>(random.Below(20));
      const auto wide = 20 + static_cast<int>(random.Below(30));
      PaintEllipse(raster, RandomBox(wide, high, random), false);
    }
    const auto width = 64 + static_cast<int>(random.Below(16));
    const Box box = RandomBox(width, width * 3 / 4, random);
    PaintEllipse(raster, box, true);
    const std::string name = part + "-" + std::to_string(i) + ".ppm";
    images.push_back({{.name = name, .split = part, .objects = {{set.images->category, {box, false}}}},
                      {.name = name, .bytes = EncodeNetpbm(raster)}});
  }
  return images;
}

}  // namespace okbench
