// Branch and bound over boxes, checked against the exhaustive search.

#include "boxes/learners/bounds.h"

#include "base/error.h"
#include "learners/core/math.h"
#include "tests/boxes/learners/word_images.h"
#include "tests/catch.h"

namespace okbench {
namespace {

using testing::RandomWordImage;

BoxFunction RandomFunction(BoxKernel kernel, const WordImage& image, std::size_t words, int levels,
                           Random& random) {
  BoxFunction f(kernel, words, levels);
  const PointLines lines(image);
  for (int s = 0; s < 6; ++s) {
    const Box box = testing::RandomBox(image.width, image.height, random);
    f.Move(HistogramOf(image, lines, words, levels, box), 0, random.Uniform() - 0.5);
  }
  return f;
}

}  // namespace

TEST_CASE("branch and bound finds the same box and score as the exhaustive search") {
  constexpr std::size_t kWords = 12;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    Random random(seed);
    const BoxKernel kernel = testing::kBoxKernels[seed % 4];
    const int levels = 1 + static_cast<int>(seed / 4 % 3), planes = 1 + static_cast<int>(seed / 12 % 2);
    const WordImage image =
        RandomWordImage(60 + static_cast<int>(random.Below(40)), 50 + static_cast<int>(random.Below(30)), 6,
                        4, planes, kWords, random);
    const BoxSettings options{.stride = 7 + static_cast<int>(random.Below(6)), .levels = levels};
    BoxSpace space(options, {});
    BoxImage boxes(image, space.Of(image.width, image.height));
    BoxFunction f = RandomFunction(kernel, image, kWords, levels, random);
    std::vector<double> scores(boxes.list().size());
    f.ScoreAll(std::vector<ScoredImage>{{&boxes, scores}});
    const FoundOutput optimum = BestBox(f, boxes);
    INFO("seed " << seed);
    REQUIRE(optimum.output == ArgMax(scores));
    REQUIRE(optimum.score == scores[optimum.output]);
    CHECK(optimum.scored <= 2 * scores.size());
  }
}

TEST_CASE("the bound of a set of boxes is never below the score of a box in the set") {
  constexpr std::size_t kWords = 8;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(1000 + seed);
    const BoxKernel kernel = testing::kBoxKernels[seed % 4];
    const WordImage image = RandomWordImage(64, 48, 2, 4, 1, kWords, random);
    BoxSpace space({.stride = 8, .levels = 2}, {});
    BoxImage boxes(image, space.Of(image.width, image.height));
    BoxFunction f = RandomFunction(kernel, image, kWords, 2, random);
    std::vector<double> scores(boxes.list().size());
    f.ScoreAll(std::vector<ScoredImage>{{&boxes, scores}});
    BoxBounds bounds(f, boxes);
    // Splits down to single boxes. Each set's bound is compared with the scores of all its boxes.
    std::vector<BoxSet> sets = {bounds.Whole()};
    std::size_t singles = 0;
    while (!sets.empty()) {
      const BoxSet set = sets.back();
      sets.pop_back();
      const double bound = bounds.Bound(set);
      std::size_t lowest = scores.size();
      for (std::size_t b = 0; b < scores.size(); ++b) {
        const Box& box = boxes.list()[b];
        const int lines[] = {box.left / 8, box.top / 8, box.right / 8, box.bottom / 8};
        bool in = true;
        for (std::size_t s = 0; s < 4; ++s) in = in && lines[s] >= set.low[s] && lines[s] <= set.high[s];
        if (!in) continue;
        lowest = std::min(lowest, b);
        REQUIRE(bound >= scores[b]);
      }
      REQUIRE(bounds.Lowest(set) == lowest);
      if (BoxBounds::Single(set)) {
        ++singles;
        REQUIRE(bound == scores[lowest]);
      } else {
        bounds.Split(set, [&](const BoxSet& part) { sets.push_back(part); });
      }
    }
    CHECK(singles == scores.size());
  }
}

TEST_CASE("ties go to the box with the lowest number in both searches") {
  const WordImage image = testing::HandImage(8, 6, std::vector<std::uint16_t>(48, 0));
  BoxSpace space({.stride = 8, .levels = 1}, {});
  BoxImage boxes(image, space.Of(image.width, image.height));
  const BoxFunction zero(BoxKernel::kIntersection, 1, 1);
  CHECK(BestBox(zero, boxes).output == 0);
  BoxFunction f(BoxKernel::kL2Linear, 1, 1);
  f.Move(HistogramOf(image, boxes.lines(), 1, 1, {0, 0, 8, 8}), 0, 1);
  std::vector<double> scores(boxes.list().size());
  f.ScoreAll(std::vector<ScoredImage>{{&boxes, scores}});
  CHECK(BestBox(f, boxes).output == ArgMax(scores));  // one word: every box has score 1
}

TEST_CASE("branch and bound rejects candidate boxes of a few sizes") {
  const WordImage image = testing::HandImage(8, 6, std::vector<std::uint16_t>(48, 0));
  BoxSpace space({.candidates = BoxSettings::Candidates::kSizes, .stride = 8, .levels = 1}, {{16, 8}});
  const BoxImage boxes(image, space.Of(image.width, image.height));
  CHECK_THROWS_AS(BestBox(BoxFunction(BoxKernel::kIntersection, 1, 1), boxes), InvalidArgument);
}

}  // namespace okbench
