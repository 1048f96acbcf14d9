// Squared norms of the histograms of all boxes of a grid. Neighbouring grid lines divide the points into
// blocks. For a rectangle of blocks, ||h||^2 is the number of ordered pairs of its points with the same word.
//
//   M_{rr'}[c][c']     pairs between blocks (r, c) and (r', c'), both orders where r < r'
//   Q_{rr'}[x0][x1]    their sum over columns c, c' in x0 .. x1-1
//   N_{tb}[x0][x1]     the sum of Q over rows r <= r' in t .. b-1 = N_{t,b-1} + sum_{r=t}^{b-1} Q_{r,b-1}

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "boxes/learners/box_features.h"
#include "boxes/learners/box_window.h"

namespace okbench {
namespace {

// With more blocks, the table of their pairs needs too much memory.
constexpr std::size_t kMaxBlocks = 4096;

std::size_t Triangle(std::size_t low, std::size_t high) { return high * (high + 1) / 2 + low; }

// Lists the used lines in `at`; place[i] is the index of line i in that list.
void Number(const std::vector<bool>& used, std::vector<int>& at, std::vector<std::size_t>& place) {
  place.resize(used.size());
  for (std::size_t i = 0; i < used.size(); ++i) {
    place[i] = at.size();
    if (used[i]) at.push_back(static_cast<int>(i));
  }
}

}  // namespace

RectangleSquares::RectangleSquares(const BoxImage& image, std::size_t words, int levels) {
  const WordImage& points = image.image();
  const BoxList& list = image.list();
  const auto cells = static_cast<std::size_t>(CellsOf(levels));
  std::vector<bool> columns(static_cast<std::size_t>(points.columns) + 1);
  std::vector<bool> rows(static_cast<std::size_t>(points.rows) + 1);
  std::array<PointRange, kMaxCells> ranges;
  for (std::size_t b = 0; b < list.size(); ++b) {
    image.lines().Cells(list[b], levels, ranges);
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const PointRange& range = ranges[cell];
      columns[static_cast<std::size_t>(range.c0)] = columns[static_cast<std::size_t>(range.c1)] = true;
      rows[static_cast<std::size_t>(range.r0)] = rows[static_cast<std::size_t>(range.r1)] = true;
    }
  }
  std::vector<int> x, y;
  Number(columns, x, column_);
  Number(rows, y, row_);
  if (x.size() < 2 || y.size() < 2 || (x.size() - 1) * (y.size() - 1) > kMaxBlocks) return;
  const std::size_t nx = x.size() - 1, ny = y.size() - 1;
  width_ = nx + 1;
  // For each word: the blocks that contain it, and its count.
  struct Holder {
    std::uint32_t block, count;
  };
  std::vector<std::vector<Holder>> holders(words);
  for (std::size_t r = 0; r < ny; ++r)
    for (std::size_t c = 0; c < nx; ++c)
      for (int u = x[c]; u < x[c + 1]; ++u)
        for (int p = 0; p < points.planes; ++p)
          for (int v = y[r]; v < y[r + 1]; ++v) {
            auto& of = holders[image.column(u, p)[v]];
            const auto block = static_cast<std::uint32_t>(r * nx + c);
            if (of.empty() || of.back().block != block) of.push_back({block, 0});
            ++of.back().count;
          }
  std::vector<std::uint32_t> pairs(Triangle(0, ny) * nx * nx);
  for (const auto& blocks : holders)
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const std::uint32_t count = blocks[i].count;
      const std::size_t low = blocks[i].block / nx, c = blocks[i].block % nx;
      std::uint32_t* const column = pairs.data() + c * nx;
      column[Triangle(low, low) * nx * nx + c] += count * count;
      for (std::size_t j = i + 1; j < blocks.size(); ++j)  // blocks increase
        column[Triangle(low, blocks[j].block / nx) * nx * nx + blocks[j].block % nx] +=
            2 * count * blocks[j].count;
    }
  // N_{tb} in order of b, then t.
  const std::size_t area = width_ * width_;
  sums_.resize(Triangle(0, ny) * area);
  std::vector<std::uint32_t> prefix(area), run(area);
  for (std::size_t b = 0; b < ny; ++b) {
    std::fill(run.begin(), run.end(), 0);
    for (std::size_t t = b + 1; t-- > 0;) {
      const std::uint32_t* const of = pairs.data() + Triangle(t, b) * nx * nx;
      for (std::size_t i = 0; i < nx; ++i) {
        std::uint32_t row = 0;
        for (std::size_t j = 0; j < nx; ++j) {
          row += of[i * nx + j];
          prefix[(i + 1) * width_ + j + 1] = prefix[i * width_ + j + 1] + row;
        }
      }
      std::uint32_t* const to = sums_.data() + Triangle(t, b) * area;
      const std::uint32_t* const before = b > t ? sums_.data() + Triangle(t, b - 1) * area : nullptr;
      for (std::size_t i = 0; i < width_; ++i)
        for (std::size_t j = i; j < width_; ++j) {
          const std::size_t place = i * width_ + j;
          run[place] +=
              prefix[j * width_ + j] - prefix[place] - prefix[j * width_ + i] + prefix[i * width_ + i];
          to[place] = run[place] + (before == nullptr ? 0 : before[place]);
        }
    }
  }
}

std::uint64_t RectangleSquares::Of(const PointRange& range) const {
  if (range.r1 <= range.r0 || range.c1 <= range.c0) return 0;
  const auto at = [](const std::vector<std::size_t>& places, int i) {
    return places[static_cast<std::size_t>(i)];
  };
  return sums_[Triangle(at(row_, range.r0), at(row_, range.r1) - 1) * width_ * width_ +
               at(column_, range.c0) * width_ + at(column_, range.c1)];
}

// Used if cells begin at too many distinct lines for tables.
std::vector<std::uint64_t> SlideSquares(const BoxImage& image, std::size_t words, int levels) {
  std::vector<std::uint64_t> squares(image.list().size());
  std::vector<std::uint16_t> counts(words);
  std::uint64_t square = 0;
  const auto add = [&](std::span<const std::uint16_t> points) {
    for (const std::uint16_t word : points) square += 2 * std::uint64_t{counts[word]++} + 1;
  };
  const auto drop = [&](std::span<const std::uint16_t> points) {
    for (const std::uint16_t word : points) square -= 2 * std::uint64_t{--counts[word]} + 1;
  };
  const auto reset = [&](std::span<const std::uint16_t> points) {
    for (const std::uint16_t word : points) counts[word] = 0;
    square = 0;
  };
  PointWindow window(image, add, drop, reset);
  ForEachCell(levels, [&](std::size_t /*cell*/, int level, int i, int j) {
    SlideCell(image, window, level, i, j, [&](std::size_t b) { squares[b] += square; });
  });
  return squares;
}

std::vector<std::uint64_t> TableSquares(const BoxImage& image, std::size_t words, int levels) {
  const RectangleSquares table(image, words, levels);
  if (table.empty()) return {};
  const BoxList& list = image.list();
  std::vector<std::uint64_t> squares(list.size());
  std::array<PointRange, kMaxCells> ranges;
  for (std::size_t b = 0; b < list.size(); ++b) {
    image.lines().Cells(list[b], levels, ranges);
    for (std::size_t cell = 0; cell < static_cast<std::size_t>(CellsOf(levels)); ++cell)
      squares[b] += table.Of(ranges[cell]);
  }
  return squares;
}

}  // namespace okbench
