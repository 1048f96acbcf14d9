#include "boxes/learners/box_tape.h"

#include <limits>

#include "boxes/learners/box_window.h"

namespace okbench {

BoxTape::BoxTape(const BoxImage& image, std::size_t words, int levels)
    : words_(words), cells_(static_cast<std::size_t>(CellsOf(levels))) {
  // Minimum length of a tape. Places are stored in 16 bits.
  if (image.list().size() * cells_.size() > kLongest ||
      2 * image.image().points.size() + 1 > std::numeric_limits<std::uint16_t>::max())
    return;
  std::size_t length = 0;
  ForEachCell(levels, [&](std::size_t cell, int level, int i, int j) {
    if (length > kLongest) return;
    Record(image, words, level, i, j, cells_[cell]);
    length += cells_[cell].places.size();
  });
  if (length <= kLongest) return;
  boxes_.clear();
  cells_.clear();
}

void BoxTape::Record(const BoxImage& image, std::size_t words, int level, int i, int j, Cell& cell) {
  // Count of a word now and before the move to the current box, for words that the move changes.
  struct Held {
    std::uint16_t now = 0, before = 0;
    bool touched = false;
  };
  std::vector<Held> counts(words);
  std::vector<std::uint16_t> touched;
  const auto touch = [&](std::uint16_t word) -> std::uint16_t& {
    Held& of = counts[word];
    if (!of.touched) {
      touched.push_back(word);
      of.before = of.now;
      of.touched = true;
    }
    return of.now;
  };
  const auto add = [&](std::span<const std::uint16_t> points) {
    for (const std::uint16_t word : points) ++touch(word);
  };
  const auto drop = [&](std::span<const std::uint16_t> points) {
    for (const std::uint16_t word : points) --touch(word);
  };
  const auto reset = [&](std::span<const std::uint16_t> points) {
    for (const std::uint16_t word : points) touch(word) = 0;
  };
  // Numbers of points by word and rank, in order of first use.
  std::vector<std::vector<std::uint16_t>> numbers(words);
  const auto number = [&](std::uint16_t word, std::size_t rank) {
    for (std::size_t next = numbers[word].size(); next <= rank; ++next) {
      numbers[word].push_back(static_cast<std::uint16_t>(cell.points.size()));
      cell.points.push_back({word, static_cast<std::uint16_t>(next)});
    }
    return numbers[word][rank];
  };
  constexpr std::uint16_t kLess = 1U << 15;  // marks a subtraction until the number of points is known
  const bool first = boxes_.empty() && level == 0;
  PointWindow window(image, add, drop, reset);
  SlideCell(image, window, level, i, j, [&](std::size_t box) {
    if (first) boxes_.push_back(static_cast<std::uint32_t>(box));
    const std::size_t before = cell.places.size();
    for (const std::uint16_t word : touched) {
      Held& of = counts[word];
      for (std::size_t c = of.before; c < of.now; ++c)
        cell.places.push_back(static_cast<std::uint16_t>(1 + number(word, c)));
      for (std::size_t c = of.now; c < of.before; ++c)
        cell.places.push_back(static_cast<std::uint16_t>(1 + number(word, c)) | kLess);
      of.touched = false;
    }
    touched.clear();
    while (cell.places.size() % 4 != 0) cell.places.push_back(0);
    cell.fours.push_back(static_cast<std::uint16_t>((cell.places.size() - before) / 4));
  });
  for (std::uint16_t& place : cell.places)
    if ((place & kLess) != 0) place = static_cast<std::uint16_t>((place & ~kLess) + cell.points.size());
}

void BoxTape::Play(const BoxFunction& f, std::size_t cell, std::span<std::int64_t> sums,
                   std::vector<std::int64_t>& table) const {
  const Cell& tape = cells_[cell];
  const std::size_t points = tape.points.size();
  table.resize(1 + 2 * points);
  table[0] = 0;
  for (std::size_t p = 0; p < points; ++p) {
    const auto steps = f.steps(cell * words_ + tape.points[p].word);
    const std::int64_t step = tape.points[p].rank < steps.size() ? steps[tape.points[p].rank] : 0;
    table[1 + p] = step;
    table[1 + points + p] = -step;
  }
  const std::int64_t* const of = table.data();
  const std::uint16_t* at = tape.places.data();
  // Each of the four sums may wrap around; their total does not.
  std::uint64_t a = 0, b = 0, c = 0, d = 0;
  for (std::size_t k = 0; k < boxes_.size(); ++k) {
    for (std::uint16_t four = tape.fours[k]; four > 0; --four, at += 4) {
      a += static_cast<std::uint64_t>(of[at[0]]);
      b += static_cast<std::uint64_t>(of[at[1]]);
      c += static_cast<std::uint64_t>(of[at[2]]);
      d += static_cast<std::uint64_t>(of[at[3]]);
    }
    sums[boxes_[k]] += static_cast<std::int64_t>(a + b + c + d);
  }
}

}  // namespace okbench
