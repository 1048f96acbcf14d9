#include "learners/outputs/boxes/box_features.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "learners/core/error.h"

namespace okbench {
namespace {

// Sums below this in absolute value are exact; 64 bits hold twice as much.
constexpr double kRoom = static_cast<double>(std::int64_t{1} << 62) / kUnitsOfOne;

using Points = std::span<const std::uint16_t>;

// Goes along a run of boxes with the points of one cell: add(words) and drop(words) for columns of them that
// come and go, at(output), clear(words) for those that are left.
template <class Add, class Drop, class At, class Clear>
void SlideCell(const BoxImage& image, const BoxRun& run, int level, int i, int j, const Add& add,
               const Drop& drop, const At& at, const Clear& clear) {
  const WordImage& words = image.image();
  const PointLines& lines = image.lines();
  const Box& first = image.list()[run.first];
  const int r0 = lines.row(CellBoundary(first.top, first.bottom, j, level));
  const int r1 = lines.row(CellBoundary(first.top, first.bottom, j + 1, level));
  const auto column = [&](int c, const auto& visit) {
    for (int p = 0; p < words.planes; ++p)
      visit(std::span(image.column(c, p) + r0, static_cast<std::size_t>(r1 - r0)));
  };
  int from = 0, to = 0;
  for (std::size_t b = run.first; b < run.first + run.count; ++b) {
    const Box& box = image.list()[b];
    const int c0 = lines.column(CellBoundary(box.left, box.right, i, level));
    const int c1 = lines.column(CellBoundary(box.left, box.right, i + 1, level));
    for (; from < c0 && from < to; ++from) column(from, drop);
    if (from == to) from = to = c0;  // nothing is held
    for (; to < c1; ++to) column(to, add);
    at(b);
  }
  for (; from < to; ++from) column(from, clear);
}

// visit(cell, level, i, j) for all cells of a pyramid.
template <class Visit>
void ForEachCell(int levels, const Visit& visit) {
  std::size_t cell = 0;
  for (int level = 0; level < levels; ++level)
    for (int j = 0; j < 1 << level; ++j)
      for (int i = 0; i < 1 << level; ++i) visit(cell++, level, i, j);
}

}  // namespace

BoxHistogram HistogramOf(const WordImage& image, const PointLines& lines, std::size_t words, int levels,
                         const Box& box) {
  BoxHistogram histogram;
  std::array<PointRange, kMostCells> cells;
  lines.Cells(box, levels, cells);
  std::vector<std::uint32_t> counts(words);
  for (std::size_t cell = 0; cell < static_cast<std::size_t>(CellsOf(levels)); ++cell) {
    const PointRange& range = cells[cell];
    for (int p = 0; p < image.planes; ++p)
      for (int r = range.r0; r < range.r1; ++r)
        for (int c = range.c0; c < range.c1; ++c) ++counts[image.plane(p)[r * image.columns + c]];
    for (std::size_t w = 0; w < words; ++w) {
      if (counts[w] == 0) continue;
      histogram.entries.push_back({static_cast<std::uint32_t>(cell * words + w), counts[w]});
      histogram.square += std::uint64_t{counts[w]} * counts[w];
      counts[w] = 0;
    }
  }
  return histogram;
}

double InverseNorm(std::uint64_t square) {
  return square == 0 ? 0 : 1 / std::sqrt(static_cast<double>(square));
}

double KernelOf(BoxKernel kernel, const BoxHistogram& a, const BoxHistogram& b) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0, j = 0; i < a.entries.size() && j < b.entries.size();) {
    const auto &x = a.entries[i], &y = b.entries[j];
    if (x.place == y.place)
      sum +=
          kernel == BoxKernel::kIntersection ? std::min(x.count, y.count) : std::uint64_t{x.count} * y.count;
    i += x.place <= y.place ? 1 : 0;
    j += y.place <= x.place ? 1 : 0;
  }
  if (kernel == BoxKernel::kIntersection) return static_cast<double>(sum) * kFraction;
  return static_cast<double>(sum) * (InverseNorm(a.square) * InverseNorm(b.square));
}

BoxImage::BoxImage(const WordImage& image, const BoxList& list)
    : image_(&image), list_(&list), lines_(image) {
  // Points are counted in 16 bits.
  if (image.points.size() > std::numeric_limits<std::uint16_t>::max())
    throw InvalidArgument("image " + image.name + " has " + std::to_string(image.points.size()) +
                          " points with words, more than 65535; scale it down");
  by_column_.reserve(image.points.size());
  for (int c = 0; c < image.columns; ++c)
    for (int p = 0; p < image.planes; ++p)
      for (int r = 0; r < image.rows; ++r) by_column_.push_back(image.plane(p)[r * image.columns + c]);
}

// Windows slide, for boxes whose cells begin at too many places for tables.
std::vector<std::uint64_t> SlideSquares(const BoxImage& image, std::size_t words, int levels) {
  std::vector<std::uint64_t> squares(image.list().size());
  std::vector<std::uint16_t> counts(words);
  ForEachCell(levels, [&](std::size_t /*cell*/, int level, int i, int j) {
    for (const BoxRun& run : image.list().runs()) {
      std::uint64_t square = 0;
      SlideCell(
          image, run, level, i, j,
          [&](Points points) {
            for (const std::uint16_t word : points) square += 2 * std::uint64_t{counts[word]++} + 1;
          },
          [&](Points points) {
            for (const std::uint16_t word : points) square -= 2 * std::uint64_t{--counts[word]} + 1;
          },
          [&](std::size_t b) { squares[b] += square; },
          [&](Points points) {
            for (const std::uint16_t word : points) counts[word] = 0;
          });
    }
  });
  return squares;
}

std::span<const double> BoxImage::InverseNorms(std::size_t words, int levels) {
  if (!inverse_norms_.empty()) return inverse_norms_;
  std::vector<std::uint64_t> squares = TableSquares(*this, words, levels);
  if (squares.empty()) squares = SlideSquares(*this, words, levels);
  inverse_norms_.reserve(squares.size());
  for (const std::uint64_t square : squares) inverse_norms_.push_back(InverseNorm(square));
  return inverse_norms_;
}

BoxFunction::BoxFunction(BoxKernel kernel, std::size_t words, int levels)
    : kernel_(kernel), words_(words), levels_(levels) {
  const std::size_t places = words * static_cast<std::size_t>(CellsOf(levels));
  if (kernel == BoxKernel::kIntersection)
    places_.resize(places);
  else
    weights_.resize(places);
}

void BoxFunction::Clear() {
  std::fill(weights_.begin(), weights_.end(), 0);
  std::fill(places_.begin(), places_.end(), Place{});
  pool_.assign(1, 0);
  mass_ = 0;
  broken_ = false;
}

void BoxFunction::MakeRoom(Place& place, std::uint32_t length) {
  if (length > place.room) {
    const auto first = static_cast<std::uint32_t>(pool_.size());
    const std::uint32_t room = std::max(length, 2 * place.room);
    pool_.resize(pool_.size() + room + 1);
    std::copy_n(pool_.begin() + place.first, place.length, pool_.begin() + first);
    place = {first, place.length, room};
  }
  place.length = std::max(place.length, length);
}

// Whole units, rounded to nearest. What is no number, or has no room, breaks the function.
std::int64_t BoxFunction::Units(double value) {
  if (!(value > -kRoom && value < kRoom)) {
    broken_ = true;
    return 0;
  }
  const double units = value * kUnitsOfOne;
  return static_cast<std::int64_t>(units < 0 ? units - 0.5 : units + 0.5);
}

void BoxFunction::Move(const BoxHistogram& support, double from, double to) {
  // No sum over points of any box is above the sum of these.
  double points = 0;
  for (const BoxHistogram::Entry& entry : support.entries) points += entry.count;
  mass_ += (std::abs(to) - std::abs(from)) * points;
  if (kernel_ == BoxKernel::kIntersection) {
    const std::int64_t change = Units(to) - (from == 0 ? 0 : Units(from));
    if (change == 0) return;
    for (const BoxHistogram::Entry& entry : support.entries) {
      Place& place = places_[entry.place];
      MakeRoom(place, entry.count);
      std::int64_t* steps = pool_.data() + place.first;
      for (std::uint32_t c = 0; c < entry.count; ++c) steps[c] += change;
    }
    return;
  }
  const double inverse = InverseNorm(support.square);
  for (const BoxHistogram::Entry& entry : support.entries) {
    const double value = entry.count * inverse;
    weights_[entry.place] += Units(to * value) - (from == 0 ? 0 : Units(from * value));
  }
}

bool BoxFunction::Fits(std::size_t points) const {
  if (broken_) return false;
  if (kernel_ == BoxKernel::kIntersection) return mass_ < kRoom;
  std::int64_t largest = 0;
  for (const std::int64_t weight : weights_) largest = std::max(largest, std::abs(weight));
  return static_cast<double>(largest) / kUnitsOfOne * static_cast<double>(points) * levels_ < kRoom;
}

double BoxFunction::Score(const BoxHistogram& box) const {
  if (broken_ || mass_ >= kRoom) return std::numeric_limits<double>::quiet_NaN();
  std::int64_t sum = 0;
  for (const BoxHistogram::Entry& entry : box.entries) {
    if (kernel_ == BoxKernel::kIntersection) {
      const auto held = steps(entry.place);
      for (std::size_t c = 0; c < std::min<std::size_t>(entry.count, held.size()); ++c) sum += held[c];
    } else {
      sum += weights_[entry.place] * entry.count;
    }
  }
  return kernel_ == BoxKernel::kIntersection ? IntersectionScore(sum)
                                             : LinearScore(sum, InverseNorm(box.square));
}

void BoxFunction::ScoreAll(BoxImage& image, std::span<double> out) {
  if (!Fits(image.image().points.size())) {
    std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  if (kernel_ == BoxKernel::kIntersection)
    ScoreIntersection(image, out);
  else
    ScoreLinear(image, out);
}

// Sums of the weights of all points above and to the left, [row][column][cell]: those of a corner lie side by
// side.
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
      const std::int64_t* const above =
          integral.data() + (static_cast<std::size_t>(r) * across + static_cast<std::size_t>(c) + 1) * kCells;
      std::int64_t* const here = integral.data() + (above - integral.data()) + across * kCells;
      for (std::size_t cell = 0; cell < kCells; ++cell) here[cell] = above[cell] + row[cell];
    }
  }
}

void BoxFunction::ScoreLinear(BoxImage& image, std::span<double> out) {
  const auto across = static_cast<std::size_t>(image.image().columns) + 1;
  const std::size_t cells = static_cast<std::size_t>(CellsOf(levels_));
  const auto integrate = levels_ == 1 ? Integrate<1> : levels_ == 2 ? Integrate<5> : Integrate<kMostCells>;
  integrate(image.image(), words_, weights_, integral_);
  // A box's sum is one entry for each of the 2^(levels-1) + 1 boundaries of its finest cells: what the cells
  // that end there hold up to it, less what those that begin there do.
  const std::span<const double> inverse = image.InverseNorms(words_, levels_);
  const BoxList& list = image.list();
  const int finest = levels_ - 1, boundaries = (1 << finest) + 1;
  std::vector<std::int64_t> strips(static_cast<std::size_t>(boundaries) * across);
  int top = -1, bottom = -1;
  for (const BoxRun& run : list.runs()) {
    const Box& first = list[run.first];
    if (first.top != top || first.bottom != bottom) {
      top = first.top;
      bottom = first.bottom;
      std::fill(strips.begin(), strips.end(), 0);
      ForEachCell(levels_, [&](std::size_t cell, int level, int i, int j) {
        const auto at = [&](int y) { return static_cast<std::size_t>(image.lines().row(y)) * across; };
        const std::size_t r0 = at(CellBoundary(top, bottom, j, level)),
                          r1 = at(CellBoundary(top, bottom, j + 1, level));
        std::int64_t* const begins = strips.data() + static_cast<std::size_t>(i << (finest - level)) * across;
        std::int64_t* const ends =
            strips.data() + static_cast<std::size_t>((i + 1) << (finest - level)) * across;
        for (std::size_t c = 0; c < across; ++c) {
          const std::int64_t held = integral_[(r1 + c) * cells + cell] - integral_[(r0 + c) * cells + cell];
          begins[c] -= held;
          ends[c] += held;
        }
      });
    }
    for (std::size_t b = run.first; b < run.first + run.count; ++b) {
      std::int64_t sum = 0;
      for (int k = 0; k < boundaries; ++k)
        sum += strips[static_cast<std::size_t>(k) * across +
                      static_cast<std::size_t>(
                          image.lines().column(CellBoundary(list[b].left, list[b].right, k, finest)))];
      out[b] = LinearScore(sum, inverse[b]);
    }
  }
}

// Windows slide along the runs, one cell after the other: its tables stay in cache.
void BoxFunction::ScoreIntersection(const BoxImage& image, std::span<double> out) {
  const BoxList& list = image.list();
  sums_.assign(list.size(), 0);
  // What a point needs of its word lies together.
  struct Slot {
    std::uint32_t first;
    std::uint16_t length, count;
  };
  std::vector<Slot> slots(words_);
  const std::int64_t* const pool = pool_.data();
  ForEachCell(levels_, [&](std::size_t cell, int level, int i, int j) {
    for (std::size_t w = 0; w < words_; ++w) {
      const Place& place = places_[cell * words_ + w];
      slots[w] = {place.first, static_cast<std::uint16_t>(place.length), 0};
    }
    const auto step = [pool](const Slot& slot) {
      return pool[slot.first + std::min(slot.count, slot.length)];
    };
    for (const BoxRun& run : list.runs()) {
      std::int64_t sum = 0;
      SlideCell(
          image, run, level, i, j,
          [&](Points points) {
            std::int64_t come = 0;  // in a register
            for (const std::uint16_t word : points) {
              Slot& slot = slots[word];
              come += step(slot);
              ++slot.count;
            }
            sum += come;
          },
          [&](Points points) {
            std::int64_t gone = 0;
            for (const std::uint16_t word : points) {
              Slot& slot = slots[word];
              --slot.count;
              gone += step(slot);
            }
            sum -= gone;
          },
          [&](std::size_t b) { sums_[b] += sum; },
          [&](Points points) {
            for (const std::uint16_t word : points) slots[word].count = 0;
          });
    }
  });
  for (std::size_t b = 0; b < list.size(); ++b) out[b] = IntersectionScore(sums_[b]);
}

}  // namespace okbench
