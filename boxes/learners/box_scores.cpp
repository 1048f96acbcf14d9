// Scores all boxes of images. Histogram intersection uses tapes, or sliding windows where tapes would be too
// long. Linear kernels use integral images.

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <vector>

#include "boxes/learners/box_features.h"
#include "boxes/learners/box_tape.h"
#include "boxes/learners/box_window.h"

namespace okbench {

void BoxFunction::ScoreAll(std::span<const ScoredImage> images) {
  std::vector<ScoredImage> exact;
  for (const ScoredImage& scored_image : images) {
    if (Fits(scored_image.image->image().points.size()))
      exact.push_back(scored_image);
    else
      std::fill(scored_image.scores.begin(), scored_image.scores.end(),
                std::numeric_limits<double>::quiet_NaN());
  }
  if (kernel_ == BoxKernel::kIntersection) {
    ScoreIntersection(exact);
    return;
  }
  for (const ScoredImage& scored_image : exact) ScoreLinear(*scored_image.image, scored_image.scores);
}

// Integral images of the weights: sums over all points above and to the left, [row][cell][column].
template <std::size_t kCells>
void Integrate(const WordImage& image, std::size_t words, const std::vector<std::int64_t>& weights_of,
               std::vector<std::int64_t>& integral) {
  const auto across = static_cast<std::size_t>(image.columns) + 1;
  integral.assign(across * (static_cast<std::size_t>(image.rows) + 1) * kCells, 0);
  std::vector<std::array<std::int64_t, kCells>> weights(words);
  for (std::size_t cell = 0; cell < kCells; ++cell)
    for (std::size_t w = 0; w < words; ++w) weights[w][cell] = weights_of[cell * words + w];
  for (int r = 0; r < image.rows; ++r) {
    std::array<std::int64_t, kCells> row{};
    for (int c = 0; c < image.columns; ++c) {
      for (int p = 0; p < image.planes; ++p) {
        const auto& weight = weights[image.plane(p)[r * image.columns + c]];
        for (std::size_t cell = 0; cell < kCells; ++cell) row[cell] += weight[cell];
      }
      std::size_t above = static_cast<std::size_t>(r) * kCells * across + static_cast<std::size_t>(c) + 1;
      for (std::size_t cell = 0; cell < kCells; ++cell, above += across)
        integral[above + kCells * across] = integral[above] + row[cell];
    }
  }
}

void BoxFunction::ScoreLinear(const BoxImage& image, std::span<double> out) {
  const auto integrate = levels_ == 1 ? Integrate<1> : levels_ == 2 ? Integrate<5> : Integrate<kMaxCells>;
  integrate(image.image(), words_, weights_, integral_);
  const auto score = levels_ == 1   ? &BoxFunction::ScoreByStrips<2>
                     : levels_ == 2 ? &BoxFunction::ScoreByStrips<3>
                                    : &BoxFunction::ScoreByStrips<5>;
  (this->*score)(image, out);
}

// A box's sum has one entry for each of the 2^(levels-1) + 1 boundaries of its finest cells: the sums of the
// cells that end there minus the sums of the cells that begin there.
template <std::size_t kBoundaries>
void BoxFunction::ScoreByStrips(const BoxImage& image, std::span<double> out) const {
  const auto across = static_cast<std::size_t>(image.image().columns) + 1;
  const std::size_t cells = static_cast<std::size_t>(CellsOf(levels_));
  const auto kept = image.LinearFactors(kernel_, words_, levels_);
  const std::vector<double>& factors = *kept;
  const BoxList& list = image.list();
  const int finest = levels_ - 1;
  // Positions of the boxes' boundaries in the strips. In a grid they are the same for all rows of boxes.
  const std::size_t lines = list.columns().size();
  std::vector<std::array<std::uint32_t, kBoundaries>> places(lines > 0 ? lines * (lines - 1) / 2
                                                                       : list.size());
  for (std::size_t b = 0; b < places.size(); ++b)
    for (std::size_t k = 0; k < kBoundaries; ++k)
      places[b][k] = static_cast<std::uint32_t>(k * across) +
                     static_cast<std::uint32_t>(image.lines().column(
                         CellBoundary(list[b].left, list[b].right, static_cast<int>(k), finest)));
  std::vector<std::int64_t> strips(kBoundaries * across);
  int top = -1, bottom = -1;
  std::size_t place = 0;
  for (const BoxRun& run : list.runs()) {
    const Box& first = list[run.first];
    if (first.top != top || first.bottom != bottom) {
      top = first.top;
      bottom = first.bottom;
      std::fill(strips.begin(), strips.end(), 0);
      ForEachCell(levels_, [&](std::size_t cell, int level, int i, int j) {
        const auto row = [&](int k) {
          const int r = image.lines().row(CellBoundary(top, bottom, k, level));
          return integral_.data() + (static_cast<std::size_t>(r) * cells + cell) * across;
        };
        const std::int64_t *const above = row(j), *const below = row(j + 1);
        std::int64_t* const begins = strips.data() + static_cast<std::size_t>(i << (finest - level)) * across;
        std::int64_t* const ends =
            strips.data() + static_cast<std::size_t>((i + 1) << (finest - level)) * across;
        for (std::size_t c = 0; c < across; ++c) {
          begins[c] -= below[c] - above[c];
          ends[c] += below[c] - above[c];
        }
      });
    }
    if (place == places.size()) place = 0;
    for (std::size_t b = run.first; b < run.first + run.count; ++b, ++place) {
      std::int64_t sum = 0;
      for (const std::uint32_t at : places[place]) sum += strips[at];
      out[b] = LinearScore(sum, factors[b]);
    }
  }
}

// Processes one cell at a time over all images, so that the steps of the cell stay in cache.
void BoxFunction::ScoreIntersection(std::span<const ScoredImage> images) {
  std::vector<std::shared_ptr<const BoxTape>> tapes;
  std::vector<std::vector<std::int64_t>> sums;
  for (const ScoredImage& scored_image : images) {
    tapes.push_back(scored_image.image->Tape(words_, levels_));
    sums.emplace_back(scored_image.scores.size());
  }
  std::vector<std::int64_t> table;
  ForEachCell(levels_, [&](std::size_t cell, int level, int i, int j) {
    for (std::size_t n = 0; n < images.size(); ++n) {
      if (tapes[n]->empty())
        Slide(cell, level, i, j, *images[n].image, sums[n]);
      else
        tapes[n]->Play(*this, cell, sums[n], table);
    }
  });
  for (std::size_t n = 0; n < images.size(); ++n)
    std::transform(sums[n].begin(), sums[n].end(), images[n].scores.begin(), IntersectionScore);
}

void BoxFunction::Slide(std::size_t cell, int level, int i, int j, const BoxImage& image,
                        std::span<std::int64_t> sums) const {
  // State of one word, stored together for locality.
  struct Slot {
    std::uint32_t first;
    std::uint16_t length, count;
  };
  std::vector<Slot> slots;
  std::vector<std::int64_t> table;
  for (std::size_t w = 0; w < words_; ++w) {
    const auto contributions = steps(cell * words_ + w);
    slots.push_back(
        {static_cast<std::uint32_t>(table.size()), static_cast<std::uint16_t>(contributions.size()), 0});
    table.insert(table.end(), contributions.begin(), contributions.end());
    table.push_back(0);
  }
  const auto step = [&table](const Slot& slot) {
    return table[slot.first + std::min(slot.count, slot.length)];
  };
  std::int64_t sum = 0;
  const auto add = [&](std::span<const std::uint16_t> points) {
    std::int64_t come = 0;  // kept in a register
    for (const std::uint16_t word : points) {
      Slot& slot = slots[word];
      come += step(slot);
      ++slot.count;
    }
    sum += come;
  };
  const auto drop = [&](std::span<const std::uint16_t> points) {
    std::int64_t gone = 0;
    for (const std::uint16_t word : points) {
      Slot& slot = slots[word];
      --slot.count;
      gone += step(slot);
    }
    sum -= gone;
  };
  const auto reset = [&](std::span<const std::uint16_t> points) {
    for (const std::uint16_t word : points) slots[word].count = 0;
    sum = 0;
  };
  PointWindow window(image, add, drop, reset);
  SlideCell(image, window, level, i, j, [&](std::size_t b) { sums[b] += sum; });
}

}  // namespace okbench
