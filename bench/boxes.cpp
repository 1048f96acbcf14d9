// Search for the best box of an image: by tapes, sliding windows, integral images, and branch and bound. Uses
// drawn images and a function with forty support boxes.

#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "bench/digits.h"
#include "boxes/images/load_images.h"
#include "boxes/learners/bounds.h"
#include "learners/core/random.h"

namespace okbench::bench {
namespace {

constexpr std::size_t kImages = 8;

// As sections 5.2 and 5.3 of sfd-2013 have them: boxes of two sizes, and all boxes of a grid.
BoxSettings TwoSizes() {
  return {.candidates = BoxSettings::Candidates::kSizes, .stride = 4, .sizes = 2, .levels = 3};
}
BoxSettings Grid(int stride, int levels) {
  return {.candidates = BoxSettings::Candidates::kGrid, .stride = stride, .levels = levels};
}

DataRequest Drawn() {
  DataRequest request{.name = "voc2007-car"};
  request.rows = kImages;
  request.force_synthetic = true;
  return request;
}

struct Scene {
  Scene(const BoxSettings& options, BoxKernel kernel)
      : words(ImagesOf(LoadImages<float>(Catalogued("voc2007-car"), Drawn(), {}))),
        space(options, {{64, 48}, {80, 60}}),
        f(kernel, words.words, options.levels) {
    Random random(1);
    for (const auto& image : words.images) {
      images.emplace_back(*image, space.Of(image->width, image->height));
      boxes += images.back().list().size();
      scores.emplace_back(images.back().list().size());
    }
    for (BoxImage& image : images) {
      const auto move = [&](const Box& box, double by) {
        f.Move(HistogramOf(image.image(), image.lines(), words.words, options.levels, box), 0, by);
      };
      move(image.image().objects.front().box, 1);
      for (int other = 0; other < 4; ++other) move(image.list()[random.Below(image.list().size())], -0.25);
    }
    for (std::size_t i = 0; i < images.size(); ++i) all.push_back({&images[i], scores[i]});
  }

  WordImages words;
  BoxSpace space;
  BoxFunction f;
  std::vector<BoxImage> images;
  std::vector<std::vector<double>> scores;
  std::vector<ScoredImage> all;
  std::size_t boxes = 0;
};

void SearchAll(benchmark::State& state, const BoxSettings& options, BoxKernel kernel) {
  Scene scene(options, kernel);
  scene.f.ScoreAll(scene.all);  // tapes and norms
  for (auto _ : state) {
    scene.f.ScoreAll(scene.all);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(scene.boxes));
}

void SearchByBounds(benchmark::State& state, const BoxSettings& options, BoxKernel kernel) {
  Scene scene(options, kernel);
  std::uint64_t bounded = 0;
  for (auto _ : state)
    for (const BoxImage& image : scene.images) bounded += BestBox(scene.f, image).scored;
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(scene.boxes));
  state.counters["bounded"] = static_cast<double>(bounded) / static_cast<double>(state.iterations()) /
                              static_cast<double>(scene.boxes);
}

BENCHMARK_CAPTURE(SearchAll, sizes_intersection, TwoSizes(), BoxKernel::kIntersection)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(SearchAll, fine_intersection_1, Grid(8, 1), BoxKernel::kIntersection)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(SearchByBounds, fine_intersection_1, Grid(8, 1), BoxKernel::kIntersection)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(SearchAll, fine_intersection_2, Grid(8, 2), BoxKernel::kIntersection)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(SearchByBounds, fine_intersection_2, Grid(8, 2), BoxKernel::kIntersection)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(SearchAll, coarse_linear, Grid(16, 2), BoxKernel::kL2Linear)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(SearchByBounds, coarse_linear, Grid(16, 2), BoxKernel::kL2Linear)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace okbench::bench
