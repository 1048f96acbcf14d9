// Histograms of boxes, their kernels, and functions of boxes: cases by hand, and each scoring method checked
// against the others.

#include "boxes/learners/box_features.h"

#include <algorithm>

#include "boxes/learners/box_engine.h"
#include "boxes/learners/box_tape.h"
#include "tests/boxes/learners/word_images.h"
#include "tests/catch.h"

namespace okbench {
namespace {

using testing::HandImage;
using testing::kBoxKernels;
using testing::RandomBox;
using testing::RandomWordImage;

using Entries = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Entries EntriesOf(const BoxHistogram& histogram) {
  Entries entries;
  for (const auto& [place, count] : histogram.entries) entries.emplace_back(place, count);
  return entries;
}

TEST_CASE("box histograms of a 4 x 4 image by hand") {
  // 0 0 | 1 1
  // 0 1 | 1 2
  // ----+----
  // 2 2 | 2 2
  // 1 0 | 2 0
  const WordImage image = HandImage(4, 4, {0, 0, 1, 1, 0, 1, 1, 2, 2, 2, 2, 2, 1, 0, 2, 0});
  const PointLines lines(image);
  const BoxHistogram whole = HistogramOf(image, lines, 3, 1, {0, 0, 16, 16});
  CHECK(EntriesOf(whole) == Entries{{0, 5}, {1, 5}, {2, 6}});
  CHECK(whole.square == 25 + 25 + 36);
  CHECK(whole.total == 16);
  const BoxHistogram pyramid = HistogramOf(image, lines, 3, 2, {0, 0, 16, 16});
  // Offsets of the cells: whole box 0, top left 3, top right 6, bottom left 9, bottom right 12.
  CHECK(EntriesOf(pyramid) == Entries{{0, 5},
                                      {1, 5},
                                      {2, 6},  //
                                      {3, 3},
                                      {4, 1},  //
                                      {7, 3},
                                      {8, 1},  //
                                      {9, 1},
                                      {10, 1},
                                      {11, 2},  //
                                      {12, 1},
                                      {14, 3}});
  CHECK(pyramid.square == 86 + (9 + 1) + (9 + 1) + (1 + 1 + 4) + (1 + 9));
  CHECK(pyramid.total == 32);  // every point once a level
  // Pixels 3 to 10 across contain the column at 6. Pixels 0 to 3 down contain the row at 2.
  CHECK(EntriesOf(HistogramOf(image, lines, 3, 1, {3, 0, 10, 3})) == Entries{{0, 1}});
  // A box without points.
  const BoxHistogram none = HistogramOf(image, lines, 3, 2, {3, 3, 6, 6});
  CHECK((none.entries.empty() && none.square == 0 && none.total == 0));
  // Words of a second plane are counted in the same histogram.
  WordImage planes = image;
  planes.planes = 2;
  planes.points.insert(planes.points.end(), 16, 2);
  CHECK(EntriesOf(HistogramOf(planes, lines, 3, 1, {0, 0, 8, 8})) == Entries{{0, 3}, {1, 1}, {2, 4}});
}

TEST_CASE("factors of histograms in linear kernels by hand") {
  for (const BoxKernel kernel : {BoxKernel::kL2Linear, BoxKernel::kL1Linear})
    CHECK(LinearFactor(kernel, 0) == 0);
  CHECK(LinearFactor(BoxKernel::kL2Linear, 16) == 0.25);
  CHECK(LinearFactor(BoxKernel::kL1Linear, 16) == 0.5);
  CHECK(LinearFactor(BoxKernel::kRawLinear, 0) == 1.0 / 256);
}

TEST_CASE("intersection kernel and linear kernels of two boxes by hand") {
  const BoxHistogram a{.entries = {{0, 3}, {2, 4}}, .square = 25, .total = 7};
  const BoxHistogram b{.entries = {{0, 5}, {1, 12}}, .square = 169, .total = 17};
  const BoxHistogram c{.entries = {{2, 2}, {7, 1}}, .square = 5, .total = 3};
  const BoxHistogram none;
  const auto k = BoxKernel::kIntersection;
  CHECK(KernelOf(k, a, b) == 3.0 / 1024);
  CHECK(KernelOf(k, a, c) == 2.0 / 1024);
  CHECK(KernelOf(k, a, a) == 7.0 / 1024);
  CHECK(KernelOf(k, b, c) == 0);
  CHECK(KernelOf(k, a, none) == 0);
  const auto linear = BoxKernel::kL2Linear;
  CHECK(KernelOf(linear, a, b) == Approx(15.0 / (5 * 13)));
  CHECK(KernelOf(linear, b, a) == Approx(15.0 / (5 * 13)));
  CHECK(KernelOf(linear, a, a) == Approx(1));
  CHECK(KernelOf(linear, b, c) == 0);
  CHECK(KernelOf(linear, none, none) == 0);
  CHECK(KernelOf(BoxKernel::kL1Linear, a, b) == Approx(8 * 8 * 15.0 / (7 * 17)));
  CHECK(KernelOf(BoxKernel::kL1Linear, a, none) == 0);
  CHECK(KernelOf(BoxKernel::kRawLinear, a, b) == 15.0 / (256 * 256));
}

TEST_CASE("a function of boxes by hand: score, steps and moves") {
  const BoxHistogram s{.entries = {{0, 3}, {2, 1}}, .square = 10};
  const BoxHistogram t{.entries = {{0, 1}}, .square = 1};
  BoxFunction f(BoxKernel::kIntersection, 3, 1);
  f.Move(s, 0, 2);
  f.Move(t, 0, -0.5);
  // min(3, 2) of s and min(1, 2) of t.
  CHECK(f.Score({.entries = {{0, 2}, {1, 7}}, .square = 53}) == (2 * 2 - 0.5) / 1024);
  CHECK(f.steps(0).size() == 3);
  CHECK(f.steps(1).empty());
  CHECK(f.steps(0)[0] == std::int64_t{3} << 31);
  CHECK(f.steps(0)[2] == std::int64_t{2} << 32);
  f.Clear();
  CHECK(f.Score(s) == 0);
  f.Move(t, 0, 1);  // after Clear(), no earlier terms remain
  CHECK(f.Score(s) == 1.0 / 1024);
  BoxFunction g(BoxKernel::kL2Linear, 3, 1);
  g.Move({.entries = {{0, 3}, {2, 4}}, .square = 25}, 0, 5);  // weights 3, 0, 4
  CHECK(g.weights()[0] == std::int64_t{3} << 32);
  CHECK(g.Score({.entries = {{0, 4}, {1, 3}}, .square = 25}) == Approx(12.0 / 5));
  CHECK(g.Score({}) == 0);
}

struct Case {
  BoxSettings options;
  std::size_t words = 0;
  WordImage image;
  std::vector<BoxSize> sizes;
};

// A random combination of planes, words, strides (dividing the image or not), and dense or sparse points.
Case RandomCase(std::uint64_t seed) {
  Random random(seed);
  Case drawn;
  drawn.options.candidates = seed % 2 == 0 ? BoxSettings::Candidates::kGrid : BoxSettings::Candidates::kSizes;
  drawn.options.levels = 1 + static_cast<int>(seed / 2 % 3);
  const auto below = [&](std::uint64_t bound) { return static_cast<int>(random.Below(bound)); };
  const int step = 1 + below(5);
  drawn.options.stride = seed % 5 == 0 ? 8 : 3 + below(9);
  drawn.words = 1 + random.Below(seed % 7 == 0 ? 3 : 40);
  const int width = seed % 5 == 0 ? 40 : 9 + below(40), height = seed % 5 == 0 ? 24 : 9 + below(40);
  const int first = below(8), planes = 1 + below(4);
  drawn.image = RandomWordImage(width, height, first, step, planes, drawn.words, random);
  for (int s = 0; s < 3; ++s) drawn.sizes.push_back({1 + below(50), 1 + below(30)});
  return drawn;
}

constexpr std::uint64_t kSeeds = 60;

TEST_CASE("norms from tables, sliding windows and single boxes are equal") {
  std::size_t tables = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Case drawn = RandomCase(seed);
    const BoxList list(drawn.options, drawn.sizes, drawn.image.width, drawn.image.height);
    BoxImage image(drawn.image, list);
    const int levels = drawn.options.levels;
    std::vector<std::uint64_t> plain;
    for (std::size_t i = 0; i < list.size(); ++i)
      plain.push_back(HistogramOf(drawn.image, image.lines(), drawn.words, levels, list[i]).square);
    INFO("seed " << seed);
    REQUIRE(SlideSquares(image, drawn.words, levels) == plain);
    const auto squares = TableSquares(image, drawn.words, levels);
    if (!squares.empty()) {
      REQUIRE(squares == plain);
      ++tables;
    }
    const auto factors = *image.LinearFactors(BoxKernel::kL2Linear, drawn.words, levels);
    REQUIRE(factors.size() == list.size());
    for (std::size_t i = 0; i < list.size(); ++i)
      REQUIRE(factors[i] == LinearFactor(BoxKernel::kL2Linear, plain[i]));
  }
  CHECK(tables > kSeeds / 2);
}

TEST_CASE("norms of boxes with too many lines for tables, or without points") {
  Random random(3);
  // 80 x 80 points, with a line between neighbours: 6400 blocks.
  const WordImage fine = RandomWordImage(80, 80, 0, 1, 1, 5, random);
  const BoxList list({.candidates = BoxSettings::Candidates::kSizes, .stride = 1},
                     std::vector<BoxSize>{{9, 13}}, 80, 80);
  BoxImage image(fine, list);
  CHECK(TableSquares(image, 5, 1).empty());
  const auto squares = SlideSquares(image, 5, 1);
  CHECK(squares[17] == HistogramOf(fine, image.lines(), 5, 1, list[17]).square);
  constexpr auto kernel = BoxKernel::kL2Linear;
  CHECK((*image.LinearFactors(kernel, 5, 1))[17] == LinearFactor(kernel, squares[17]));
  // All points are outside the boxes.
  const WordImage few = RandomWordImage(20, 20, 19, 4, 2, 5, random);
  const BoxList inner({.stride = 16}, {}, 20, 20);
  BoxImage empty(few, inner);
  CHECK(SlideSquares(empty, 5, 2) == std::vector<std::uint64_t>{0});
  CHECK((*empty.LinearFactors(kernel, 5, 2))[0] == 0);
  CHECK((*empty.LinearFactors(BoxKernel::kL1Linear, 5, 2))[0] == 0);
  std::vector<double> scores(1, 7.0);
  BoxFunction f(kernel, 5, 2);
  f.Move({.entries = {{0, 1}}, .square = 1}, 0, 1);
  f.ScoreAll(std::vector<ScoredImage>{{&empty, scores}});
  CHECK(scores[0] == 0);
}

// Support boxes from several images, with coefficients.
struct Support {
  std::vector<BoxHistogram> boxes;
  std::vector<double> tau;
  Support(const Case& drawn, std::size_t count, Random& random) {
    for (std::size_t s = 0; s < count; ++s) {
      const WordImage other = RandomWordImage(30, 25, 1, 3, 2, drawn.words, random);
      boxes.push_back(HistogramOf(other, PointLines(other), drawn.words, drawn.options.levels,
                                  RandomBox(30, 25, random)));
      tau.push_back(3 * random.Normal());
    }
  }
};

TEST_CASE("scores of all boxes, of one box, and by support box have the same bits") {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
    for (const BoxKernel kernel : kBoxKernels) {
      const Case drawn = RandomCase(seed);
      Random random(seed + 1000);
      const Support support(drawn, 1 + random.Below(6), random);
      const int levels = drawn.options.levels;
      BoxFunction f(kernel, drawn.words, levels);
      for (std::size_t s = 0; s < support.boxes.size(); ++s) f.Move(support.boxes[s], 0, support.tau[s]);
      const BoxList list(drawn.options, drawn.sizes, drawn.image.width, drawn.image.height);
      BoxImage image(drawn.image, list);
      std::vector<double> scores(list.size());
      f.ScoreAll(std::vector<ScoredImage>{{&image, scores}});
      INFO("seed " << seed << " kernel " << static_cast<int>(kernel));
      for (std::size_t i = 0; i < list.size(); ++i) {
        const BoxHistogram box = HistogramOf(drawn.image, image.lines(), drawn.words, levels, list[i]);
        REQUIRE(scores[i] == f.Score(box));
        double direct = 0;
        for (std::size_t s = 0; s < support.boxes.size(); ++s)
          direct += support.tau[s] * KernelOf(kernel, support.boxes[s], box);
        REQUIRE(scores[i] == Approx(direct).epsilon(1e-9).margin(1e-9));
      }
    }
}

TEST_CASE("more boxes than a tape can store, and several lists for the same image") {
  Random random(5);
  const WordImage image = RandomWordImage(84, 84, 1, 2, 1, 7, random);
  const auto check = [&](const BoxList& list, std::size_t stride) {
    for (const BoxKernel kernel : kBoxKernels) {
      BoxImage boxes(image, list);
      BoxFunction f(kernel, 7, 2);
      f.Move(HistogramOf(image, boxes.lines(), 7, 2, {10, 10, 50, 40}), 0, 1);
      f.Move(HistogramOf(image, boxes.lines(), 7, 2, {30, 20, 80, 80}), 0, -0.3);
      std::vector<double> scores(list.size());
      f.ScoreAll(std::vector<ScoredImage>{{&boxes, scores}});
      bool same = true;
      for (std::size_t i = 0; i < list.size(); i += stride)
        same = same && scores[i] == f.Score(HistogramOf(image, boxes.lines(), 7, 2, list[i]));
      CHECK(same);
    }
  };
  BoxSettings grid{.candidates = BoxSettings::Candidates::kGrid, .stride = 2, .levels = 2};
  const BoxList many(grid, {}, image.width, image.height);
  BoxImage boxes(image, many);
  CHECK(boxes.Tape(7, 2)->empty());
  check(many, 1999);
  grid.stride = 12;
  const BoxList few(grid, {}, image.width, image.height);
  BoxImage taped(image, few);
  CHECK(!taped.Tape(7, 2)->empty());
  // One image, scored by functions with different numbers of levels.
  for (const int levels : {1, 3, 2}) {
    for (const BoxKernel kernel : kBoxKernels) {
      BoxFunction f(kernel, 7, levels);
      f.Move(HistogramOf(image, taped.lines(), 7, levels, {10, 10, 50, 40}), 0, 1);
      std::vector<double> scores(few.size());
      f.ScoreAll(std::vector<ScoredImage>{{&taped, scores}});
      CHECK(scores[5] == f.Score(HistogramOf(image, taped.lines(), 7, levels, few[5])));
    }
  }
  check(few, 1);
  // The same options with other sizes.
  const BoxSettings sizes{.candidates = BoxSettings::Candidates::kSizes, .stride = 6, .levels = 2};
  const BoxSize small[] = {{20, 12}, {30, 30}}, large[] = {{40, 22}, {60, 50}};
  check(BoxList(sizes, small, image.width, image.height), 1);
  check(BoxList(sizes, large, image.width, image.height), 1);
  check(few, 1);
}

TEST_CASE("scores depend on the current coefficients only, not on how they were reached") {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
    for (const BoxKernel kernel : kBoxKernels) {
      const Case drawn = RandomCase(seed);
      Random random(seed + 2000);
      const Support support(drawn, 5, random);
      BoxFunction plain(kernel, drawn.words, drawn.options.levels), f = plain;
      for (std::size_t s = 0; s < 5; ++s) plain.Move(support.boxes[s], 0, support.tau[s]);
      // Reaches the same coefficients in several ways: in another order, or by overwriting other values.
      std::vector<double> coefficients(5, 0.0);
      for (int move = 0; move < 40; ++move) {
        const std::size_t s = random.Below(5);
        const double to = random.Below(3) == 0 ? 0 : random.Normal() / 3;
        f.Move(support.boxes[s], coefficients[s], to);
        coefficients[s] = to;
      }
      for (std::size_t s = 5; s-- > 0;) f.Move(support.boxes[s], coefficients[s], support.tau[s]);
      const BoxList list(drawn.options, drawn.sizes, drawn.image.width, drawn.image.height);
      BoxImage image(drawn.image, list);
      std::vector<double> expected(list.size()), scores(list.size());
      plain.ScoreAll(std::vector<ScoredImage>{{&image, expected}});
      f.ScoreAll(std::vector<ScoredImage>{{&image, scores}});
      INFO("seed " << seed);
      REQUIRE(scores == expected);
      for (std::size_t s = 0; s < 5; ++s) f.Move(support.boxes[s], support.tau[s], 0);
      f.ScoreAll(std::vector<ScoredImage>{{&image, scores}});
      REQUIRE(std::all_of(scores.begin(), scores.end(), [](double score) { return score == 0; }));
    }
}

TEST_CASE("the engine counts the boxes that it scores") {
  const WordImage hand = HandImage(4, 4, std::vector<std::uint16_t>(16, 1), {{{0, 0, 8, 8}, false}});
  const BoxList list({.stride = 8}, {}, 16, 16);
  std::vector<BoxImage> images;
  images.emplace_back(hand, list);
  SupportBoxes support(images, {hand.objects[0].box}, 2, 1);
  const std::uint32_t truth = support.Row(0, list.size()), first = support.Row(0, 0);
  CHECK((truth == 0 && first == 1 && support.Row(0, list.size()) == truth && support.size() == 2));
  CHECK(EntriesOf(support.histogram(truth)) == Entries{{1, 4}});
  BoxModel model(support, BoxFunction(BoxKernel::kIntersection, 2, 1));
  model.Add(truth, 0.5);
  model.Add(first, 1);
  CHECK(model.size() == 2);
  model.Add(first, -1);
  CHECK((model.size() == 1 && model.coefficient(first) == 0 && model.coefficient(99) == 0));
  BoxEngine engine;
  std::vector<double> scores(list.size());
  const std::vector<ScoredImage> all = {{&images[0], scores}};
  engine.ScoreAll(model.f(), all, Purpose::kLearning);
  CHECK(scores[0] == 2.0 / 1024);
  engine.ScoreAll(model.f(), all, Purpose::kMeasuring);
  engine.Score(model.f(), support.histogram(truth), Purpose::kLearning);
  engine.Kernel(BoxKernel::kIntersection, support.histogram(0), support.histogram(1));
  engine.CountRequested(100);
  CHECK(engine.boxes_scored() == 9 + 1);
  CHECK(engine.counts().computed == 9 + 1 + 1);
  CHECK(engine.counts().terms == engine.counts().computed);
  CHECK(engine.counts().evaluation == 9);
  CHECK(engine.counts().requested == 100);
}

}  // namespace
}  // namespace okbench
