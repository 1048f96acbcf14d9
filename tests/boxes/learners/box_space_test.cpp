// Candidate boxes, overlaps, points in cells, suppression and recall: cases by hand.

#include "boxes/learners/box_space.h"

#include "base/error.h"
#include "boxes/learners/recall.h"
#include "tests/boxes/learners/word_images.h"
#include "tests/catch.h"

namespace okbench {
namespace {

using testing::HandImage;

std::vector<Box> BoxesOf(const BoxList& list) {
  std::vector<Box> boxes;
  for (std::size_t i = 0; i < list.size(); ++i) boxes.push_back(list[i]);
  return boxes;
}

BoxSettings Sizes(int stride, int sizes = 2) {
  return {.candidates = BoxSettings::Candidates::kSizes, .stride = stride, .sizes = sizes};
}

BoxSettings Grid(int stride, int levels = 2) {
  return {.candidates = BoxSettings::Candidates::kGrid, .stride = stride, .levels = levels};
}

// Checks that the runs cover every box once. The boxes of a run have the same rows, and their left side never
// decreases.
void CheckRuns(const BoxList& list) {
  std::size_t next = 0;
  for (const BoxRun& run : list.runs()) {
    REQUIRE(run.first == next);
    REQUIRE(run.count > 0);
    for (std::size_t b = run.first + 1; b < run.first + run.count; ++b) {
      REQUIRE((list[b].top == list[run.first].top && list[b].bottom == list[run.first].bottom));
      REQUIRE((list[b].left >= list[b - 1].left && list[b].right >= list[b - 1].right));
    }
    next += run.count;
  }
  REQUIRE(next == list.size());
}

TEST_CASE("overlaps of boxes by hand") {
  const Box a{0, 0, 10, 10};
  CHECK(a.area() == 100);
  CHECK(Overlap(a, a) == 1);
  CHECK(Overlap(a, {5, 0, 15, 10}) == 50.0 / 150);
  CHECK(Overlap({5, 0, 15, 10}, a) == 50.0 / 150);
  CHECK(Overlap(a, {2, 3, 7, 5}) == 10.0 / 100);  // inside
  CHECK(Overlap(a, {10, 0, 20, 10}) == 0);        // side by side
  CHECK(Overlap(a, {10, 10, 20, 20}) == 0);
  CHECK(Overlap(a, {30, 30, 40, 40}) == 0);  // apart in both directions: not a product of two negative sides
  CHECK(Overlap({0, 0, 1 << 20, 1 << 20}, {0, 0, 1 << 20, 1 << 19}) == 0.5);  // beyond 32 bits
  CHECK((Box{3, 3, 3, 8}.empty() && Box{4, 3, 3, 8}.empty() && !a.empty()));
}

TEST_CASE("boxes of a few sizes: ordered by size, top, left, and clipped to the image") {
  const std::vector<BoxSize> sizes = {{4, 6}, {20, 3}};
  const BoxList list(Sizes(4), sizes, 10, 11);
  // 4 x 6: left 0, 4 (8 would end at 12), top 0, 4. 20 x 3 is cut to 10 x 3: left 0, top 0, 4, 8.
  CHECK(BoxesOf(list) == std::vector<Box>{{0, 0, 4, 6},
                                          {4, 0, 8, 6},
                                          {0, 4, 4, 10},
                                          {4, 4, 8, 10},
                                          {0, 0, 10, 3},
                                          {0, 4, 10, 7},
                                          {0, 8, 10, 11}});
  CHECK(list.runs().size() == 2 + 3);
  CheckRuns(list);
  const std::vector<BoxSize> large = {{50, 60}};
  CHECK(BoxesOf(BoxList(Sizes(4, 1), large, 10, 11)) == std::vector<Box>{{0, 0, 10, 11}});
  // A box that just fits at the last point of the grid.
  const std::vector<BoxSize> fits = {{2, 11}};
  CHECK(BoxesOf(BoxList(Sizes(4, 1), fits, 10, 11)).back() == Box{8, 0, 10, 11});
}

TEST_CASE("boxes of a grid: ordered by top, bottom, left, right, with equal margins on both sides") {
  // 11 = 3 + 2 * 4: lines at x = 1, 5, 9; 6 = 2 + 4: lines at y = 1, 5.
  const BoxList list(Grid(4), {}, 11, 6);
  CHECK(BoxesOf(list) == std::vector<Box>{{1, 1, 5, 5}, {1, 1, 9, 5}, {5, 1, 9, 5}});
  CHECK(list.runs().size() == 2);
  CHECK((list.runs()[0].count == 2 && list.runs()[1].first == 2));
  // 8 x 8: three lines in each direction, (3 * 2 / 2)^2 boxes.
  const BoxList square(Grid(4), {}, 8, 8);
  REQUIRE(square.size() == 9);
  CHECK(square[0] == Box{0, 0, 4, 4});
  CHECK(square[1] == Box{0, 0, 8, 4});
  CHECK(square[2] == Box{4, 0, 8, 4});
  CHECK(square[3] == Box{0, 0, 4, 8});
  CHECK(square[4] == Box{0, 0, 8, 8});
  CHECK(square[8] == Box{4, 4, 8, 8});
  CheckRuns(square);
  // Smaller than a cell in one direction: one box, the whole image.
  CHECK(BoxesOf(BoxList(Grid(16), {}, 15, 40)) == std::vector<Box>{{0, 0, 15, 40}});
  CHECK(BoxesOf(BoxList(Grid(16), {}, 40, 15)) == std::vector<Box>{{0, 0, 40, 15}});
  CHECK(BoxesOf(BoxList(Grid(16), {}, 16, 17)) == std::vector<Box>{{0, 0, 16, 16}});
}

TEST_CASE("a space shares one list between images of equal size, and checks its options") {
  BoxSpace space(Grid(4), {});
  const BoxList& list = space.Of(8, 8);
  CHECK(&space.Of(8, 8) == &list);
  CHECK(space.Of(8, 12).size() == 3 * 6);
  CHECK(list.size() == 9);  // still valid
  CHECK_THROWS_AS(BoxSpace(Grid(0), {}), InvalidArgument);
  CHECK_THROWS_AS(BoxSpace(Grid(4, 0), {}), InvalidArgument);
  CHECK_THROWS_AS(BoxSpace(Grid(4, 4), {}), InvalidArgument);
  CHECK_THROWS_AS(BoxSpace(Sizes(4, 0), {}), InvalidArgument);
  CHECK((CellsOf(1) == 1 && CellsOf(2) == 5 && CellsOf(3) == kMaxCells));
  CHECK(EstimatedBoxes(Grid(300)) == 1);
  CHECK(EstimatedBoxes(Grid(75)) == 4 * 5 / 2 * (3 * 4 / 2));
}

TEST_CASE("clustering of box sizes by hand") {
  const auto of = [](std::vector<BoxSize> sizes, int count) {
    std::vector<Box> boxes;
    for (const BoxSize& size : sizes) boxes.push_back({7, 3, 7 + size.width, 3 + size.height});
    return ClusterSizes(boxes, count);
  };
  // One cluster: the mean, rounded half up: (10 + 13) / 2 = 11.5, (10 + 11) / 2 = 10.5.
  CHECK(of({{10, 10}, {13, 11}}, 1) == std::vector<BoxSize>{{12, 11}});
  // Two clusters. By area: 8x10, 10x10, 40x20, 44x20. They start at the second and the fourth, end at the
  // means.
  CHECK(of({{44, 20}, {10, 10}, {40, 20}, {8, 10}}, 2) == std::vector<BoxSize>{{9, 10}, {42, 20}});
  // One distinct size gives one cluster, whatever the requested number.
  CHECK(of({{6, 5}, {6, 5}, {6, 5}}, 3) == std::vector<BoxSize>{{6, 5}});
  CHECK(of({{6, 5}}, 4) == std::vector<BoxSize>{{6, 5}});
  // Sorted by width.
  CHECK(of({{4, 90}, {50, 2}}, 2) == std::vector<BoxSize>{{4, 90}, {50, 2}});
  CHECK_THROWS_AS(of({}, 2), InvalidArgument);
}

TEST_CASE("boundaries of cells are rounded down, and neighbouring cells share them") {
  // 10 .. 17 in quarters: 7 i / 4 = 0, 1.75, 3.5, 5.25, 7.
  const int expected[] = {10, 11, 13, 15, 17};
  for (int i = 0; i <= 4; ++i) CHECK(CellBoundary(10, 17, i, 2) == expected[i]);
  CHECK(CellBoundary(10, 17, 0, 0) == 10);
  CHECK(CellBoundary(10, 17, 1, 0) == 17);
  // The boundaries of a level are a subset of those of the next level.
  for (int from = 0; from < 9; ++from)
    for (int to = from + 1; to < 30; ++to)
      for (int i = 0; i <= 2; ++i) {
        CHECK(CellBoundary(from, to, i, 1) == CellBoundary(from, to, 2 * i, 2));
        // Moving a side to the right moves no boundary to the left.
        CHECK(CellBoundary(from, to, i, 1) <= CellBoundary(from + 1, to + (to == from + 1), i, 1));
        CHECK(CellBoundary(from, to, i, 1) <= CellBoundary(from, to + 1, i, 1));
      }
}

TEST_CASE("number of points below a pixel, and in the cells of a box, by hand") {
  // Columns at 2, 6, 10, 14; rows at 2, 6, 10.
  const WordImage image = HandImage(4, 3, std::vector<std::uint16_t>(12, 0));
  const PointLines lines(image);
  const int below[] = {0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4};
  for (int x = 0; x <= 16; ++x) CHECK(lines.column(x) == below[x]);
  for (int y = 0; y <= 12; ++y) CHECK(lines.row(y) == below[y]);
  CHECK((image.ColumnsBelow(2) == 0 && image.ColumnsBelow(3) == 1 && image.ColumnsBelow(1000) == 4));
  std::array<PointRange, kMaxCells> cells;
  lines.Cells({3, 0, 14, 12}, 2, cells);  // columns 6 and 10, all rows; halves at x = 8, y = 6
  const auto is = [&](std::size_t cell, std::array<int, 4> range) {
    return std::array{cells[cell].c0, cells[cell].c1, cells[cell].r0, cells[cell].r1} == range;
  };
  CHECK(is(0, {1, 3, 0, 3}));
  CHECK(is(1, {1, 2, 0, 1}));
  CHECK(is(2, {2, 3, 0, 1}));
  CHECK(is(3, {1, 2, 1, 3}));
  CHECK(is(4, {2, 3, 1, 3}));
}

TEST_CASE("suppression drops boxes that overlap a better one, ties go to the lowest number") {
  // Lines at 0, 4, 8, one row: boxes 0-4, 0-8, 4-8.
  const BoxList list(Grid(4), {}, 8, 4);
  REQUIRE(list.size() == 3);
  using Order = std::vector<std::size_t>;
  CHECK(SuppressOverlaps(list, std::vector<double>{1, 1, 1}, 0.9, 10) == Order{0, 1, 2});
  CHECK(SuppressOverlaps(list, std::vector<double>{1, 2, 2}, 0.9, 10) == Order{1, 2, 0});
  CHECK(SuppressOverlaps(list, std::vector<double>{1, 2, 3}, 0.9, 2) == Order{2, 1});
  // Each half overlaps the whole box by exactly 1/2. The limit 0.5 is inclusive, so both are dropped.
  CHECK(SuppressOverlaps(list, std::vector<double>{1, 2, 1}, 0.5, 10) == Order{1});
  CHECK(SuppressOverlaps(list, std::vector<double>{1, 2, 1}, 0.51, 10) == Order{1, 0, 2});
  // A dropped box drops no others: 0 drops 1, so 1 cannot drop 2.
  CHECK(SuppressOverlaps(list, std::vector<double>{3, 2, 1}, 0.5, 10) == Order{0, 2});
  CHECK(SuppressOverlaps(list, std::vector<double>{3, 2, 1}, 0.9, 0).empty());
}

TEST_CASE("suppression in pieces equals suppression in one sorted list") {
  const BoxList list(Grid(8), {}, 64, 48);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Random random(seed);
    std::vector<double> scores(list.size());
    for (double& score : scores) score = static_cast<double>(random.Below(40));
    for (const std::size_t most : {std::size_t{1}, std::size_t{3}, std::size_t{25}, std::size_t{5000}}) {
      std::vector<std::size_t> order(list.size()), plain;
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
      for (const std::size_t box : order) {
        bool free = plain.size() < most;
        for (const std::size_t other : plain) free = free && Overlap(list[box], list[other]) < 0.6;
        if (free) plain.push_back(box);
      }
      REQUIRE(SuppressOverlaps(list, scores, 0.6, most) == plain);
    }
  }
}

TEST_CASE("recall by hand: the best 1 and 10 boxes, difficult objects counted separately") {
  const BoxList list(Grid(4), {}, 8, 4);  // 0-4, 0-8, 4-8
  RecallMeasure measure(0.9);
  const std::vector<ImageObject> objects = {
      {{0, 0, 8, 4}, false}, {{4, 0, 8, 4}, false}, {{0, 0, 4, 4}, true}};
  // The best box is 0-4. It overlaps the first object by 1/2 and the second by 0. The best 10 are all boxes.
  measure.Add(list, std::vector<double>{3, 2, 1}, objects);
  // Another image with one object, which equals the best box.
  measure.Add(list, std::vector<double>{0, 0, 1}, std::vector<ImageObject>{{{4, 0, 8, 4}, false}});
  const std::vector<RecallCurve> curves = measure.Curves();
  REQUIRE(curves.size() == 4);
  CHECK((curves[0].boxes == 1 && curves[1].boxes == 10 && curves[2].boxes == 100 && curves[3].boxes == 500));
  CHECK(curves[0].area == Approx((0.5 + 0 + 1) / 3));
  REQUIRE(curves[0].recall.size() == 101);
  CHECK(curves[0].recall[0] == 1);  // any overlap is at least 0
  CHECK(curves[0].recall[1] == Approx(2.0 / 3));
  CHECK(curves[0].recall[50] == Approx(2.0 / 3));
  CHECK(curves[0].recall[51] == Approx(1.0 / 3));
  CHECK(curves[0].recall[100] == Approx(1.0 / 3));
  for (std::size_t c = 1; c < 4; ++c) {
    CHECK(curves[c].area == Approx(1));
    CHECK(curves[c].recall[100] == 1);
  }
  // Overlaps that equal a hundredth to the last bit count at that step: 1/4 and 3/10.
  RecallMeasure exact(0.9);
  const BoxList whole_image(Grid(16), {}, 10, 10);  // the whole image
  exact.Add(whole_image, std::vector<double>{0},
            std::vector<ImageObject>{{{0, 0, 5, 5}, false}, {{0, 0, 3, 10}, false}});
  CHECK(exact.Curves()[0].recall[25] == 1);
  CHECK(exact.Curves()[0].recall[26] == 0.5);
  CHECK(exact.Curves()[0].recall[30] == 0.5);
  CHECK(exact.Curves()[0].recall[31] == 0);
}

TEST_CASE("recall with a lower suppression threshold by hand") {
  // A better box leaves out those that overlap it by a half or more; all six boxes stay at 0.9.
  const BoxList list(Grid(4), {}, 12, 4);  // 0-4, 0-8, 0-12, 4-8, 4-12, 8-12
  const std::vector<double> scores = {5, 6, 4, 1, 2, 3};
  CHECK(SuppressOverlaps(list, scores, 0.9, 10) == std::vector<std::size_t>{1, 0, 2, 5, 4, 3});
  // 0-4 covers half of 0-8; 0-12 and 0-8 overlap by two thirds; 4-12 and 8-12 by half.
  CHECK(SuppressOverlaps(list, scores, 0.5, 10) == std::vector<std::size_t>{1, 5});
  const std::vector<ImageObject> objects = {{{4, 0, 8, 4}, false}};
  RecallMeasure high(0.9), low(0.5);
  high.Add(list, scores, objects);
  low.Add(list, scores, objects);
  CHECK(high.Curves()[1].area == 1);
  CHECK(low.Curves()[1].area == 0.5);
}

}  // namespace
}  // namespace okbench
