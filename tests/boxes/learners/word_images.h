#pragma once
// Word images for tests: random, and with given words.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "boxes/learners/box_features.h"
#include "boxes/learners/word_images.h"
#include "learners/core/examples.h"
#include "learners/core/random.h"

namespace okbench::testing {

inline constexpr BoxKernel kBoxKernels[] = {BoxKernel::kIntersection, BoxKernel::kL2Linear,
                                            BoxKernel::kL1Linear, BoxKernel::kRawLinear};

/// An image with points at pixels 2, 6, 10, ... in both directions, four pixels apart, and these words, row
/// by row.
inline WordImage HandImage(int columns, int rows, std::vector<std::uint16_t> words,
                           std::vector<ImageObject> objects = {}) {
  return {.name = "hand",
          .width = 4 * columns,
          .height = 4 * rows,
          .first = 2,
          .step = 4,
          .columns = columns,
          .rows = rows,
          .planes = 1,
          .points = std::move(words),
          .objects = std::move(objects)};
}

inline Box RandomBox(int width, int height, Random& random) {
  const auto below = [&](int bound) {
    return static_cast<int>(random.Below(static_cast<std::uint64_t>(bound)));
  };
  const int left = below(width), top = below(height);
  return {left, top, left + 1 + below(width - left), top + 1 + below(height - top)};
}

/// Random words, some more frequent than others, and one object that is not difficult.
inline WordImage RandomWordImage(int width, int height, int first, int step, int planes, std::size_t words,
                                 Random& random) {
  WordImage image{.name = "random",
                  .width = width,
                  .height = height,
                  .first = first,
                  .step = step,
                  .columns = (width - first + step - 1) / step,
                  .rows = (height - first + step - 1) / step,
                  .planes = planes,
                  .points = {},
                  .objects = {{RandomBox(width, height, random), false}}};
  image.points.resize(static_cast<std::size_t>(image.columns * image.rows * planes));
  for (std::uint16_t& word : image.points)
    word = static_cast<std::uint16_t>(random.Below(1 + random.Below(words)));
  return image;
}

inline Examples<double> MakeImageExamples(std::size_t words, std::vector<WordImage> images) {
  std::vector<std::shared_ptr<const WordImage>> all;
  for (WordImage& image : images) all.push_back(std::make_shared<WordImage>(std::move(image)));
  return ImageExamples<double>(WordImages(words, std::move(all)));
}

/// The joint problem of a set of images, stored plainly: histograms of all boxes, with the true box last.
struct PlainBoxes {
  BoxKernel kernel;
  std::vector<std::vector<BoxHistogram>> histograms;  // [image][output]
  std::vector<std::vector<double>> deltas;
  PlainBoxes(const Examples<double>& data, BoxKernel kernel_, const BoxSettings& options) : kernel(kernel_) {
    std::vector<Box> truths;
    for (const auto& image : ImagesOf(data).images) truths.push_back(image->objects[0].box);
    BoxSpace space(options, ClusterSizes(truths, options.sizes));
    for (const auto& image : ImagesOf(data).images) {
      const BoxList& list = space.Of(image->width, image->height);
      const Box truth = image->objects[0].box;
      const PointLines lines(*image);
      auto& of = histograms.emplace_back();
      auto& delta = deltas.emplace_back();
      for (std::size_t y = 0; y <= list.size(); ++y) {
        const Box box = y < list.size() ? list[y] : truth;
        of.push_back(HistogramOf(*image, lines, ImagesOf(data).words, options.levels, box));
        delta.push_back(y < list.size() ? 1 - Overlap(truth, box) : 0);
      }
    }
  }
  std::size_t truth(std::size_t i) const { return deltas[i].size() - 1; }
  double K(std::size_t i, std::size_t y, std::size_t j, std::size_t o) const {
    return KernelOf(kernel, histograms[i][y], histograms[j][o]);
  }
};

}  // namespace okbench::testing
