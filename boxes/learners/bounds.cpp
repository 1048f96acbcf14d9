#include "boxes/learners/bounds.h"

#include <algorithm>

#include "base/error.h"

namespace okbench {
namespace {

// Indices of the sides of a box in BoxSet.
enum Side : std::size_t { kLeft, kTop, kRight, kBottom };

std::int16_t Number(std::size_t line) { return static_cast<std::int16_t>(line); }

}  // namespace

BoxBounds::BoxBounds(const BoxFunction& f, const BoxImage& image)
    : f_(f),
      image_(image),
      cells_(static_cast<std::size_t>(CellsOf(f.levels()))),
      across_(static_cast<std::size_t>(image.image().columns) + 1),
      counts_(f.words()) {
  const BoxList& list = image.list();
  if (list.columns().empty()) throw InvalidArgument("branch and bound needs candidates = grid");
  x_.assign(list.columns().begin(), list.columns().end());
  y_.assign(list.rows().begin(), list.rows().end());
  if (f.kernel() == BoxKernel::kIntersection)
    SplitSteps();
  else
    Integrate();
}

void BoxBounds::Integrate() {
  const WordImage& points = image_.image();
  if (f_.kernel() == BoxKernel::kL2Linear) {
    squares_.emplace(image_, f_.words(), f_.levels());
    if (squares_->empty())
      throw InvalidArgument("branch and bound with the linear kernel needs a grid with fewer lines");
  }
  const std::size_t plane = across_ * (static_cast<std::size_t>(points.rows) + 1);
  positive_.assign(cells_ * plane, 0);
  negative_.assign(cells_ * plane, 0);
  for (std::size_t cell = 0; cell < cells_; ++cell)
    for (int r = 0; r < points.rows; ++r) {
      std::int64_t positive = 0, negative = 0;
      for (int c = 0; c < points.columns; ++c) {
        for (int p = 0; p < points.planes; ++p) {
          const std::int64_t weight =
              f_.weights()[cell * f_.words() + points.plane(p)[r * points.columns + c]];
          (weight > 0 ? positive : negative) += weight;
        }
        const std::size_t above =
            cell * plane + static_cast<std::size_t>(r) * across_ + static_cast<std::size_t>(c) + 1;
        positive_[above + across_] = positive_[above] + positive;
        negative_[above + across_] = negative_[above] + negative;
      }
    }
}

void BoxBounds::SplitSteps() {
  for (std::size_t place = 0; place < cells_ * f_.words(); ++place) {
    const auto steps = f_.steps(place);
    first_.push_back(static_cast<std::uint32_t>(up_.size()));
    length_.push_back(static_cast<std::uint32_t>(steps.size()));
    for (const std::int64_t step : steps) {
      up_.push_back(std::max<std::int64_t>(step, 0));
      down_.push_back(std::min<std::int64_t>(step, 0));
    }
    up_.push_back(0);
    down_.push_back(0);
  }
}

std::int64_t BoxBounds::SumOf(const std::vector<std::int64_t>& integral, const PointRange& range,
                              std::size_t cell) const {
  if (range.r1 <= range.r0 || range.c1 <= range.c0) return 0;
  const std::int64_t* const plane =
      integral.data() + cell * across_ * (static_cast<std::size_t>(image_.image().rows) + 1);
  const auto at = [&](int r, int c) {
    return plane[static_cast<std::size_t>(r) * across_ + static_cast<std::size_t>(c)];
  };
  return at(range.r1, range.c1) - at(range.r0, range.c1) - at(range.r1, range.c0) + at(range.r0, range.c0);
}

std::uint64_t BoxBounds::MagnitudeOf(const PointRange& range) const {
  if (f_.kernel() == BoxKernel::kL2Linear) return squares_->Of(range);
  return range.points() * static_cast<std::uint64_t>(image_.image().planes);
}

std::int64_t BoxBounds::StepsOf(const std::vector<std::int64_t>& steps, const PointRange& range,
                                std::size_t cell) {
  const std::uint32_t* const first = first_.data() + cell * f_.words();
  const std::uint32_t* const length = length_.data() + cell * f_.words();
  std::int64_t sum = 0;
  const auto visit = [&](const auto& point) {
    for (int c = range.c0; c < range.c1; ++c)
      for (int p = 0; p < image_.image().planes; ++p)
        for (int r = range.r0; r < range.r1; ++r) point(image_.column(c, p)[r]);
  };
  visit([&](std::uint16_t word) {
    sum += steps[first[word] + std::min<std::uint32_t>(counts_[word]++, length[word])];
  });
  visit([&](std::uint16_t word) { counts_[word] = 0; });
  return sum;
}

BoxSet BoxBounds::Whole() const {
  BoxSet set;
  set.high = {Number(x_.size() - 1), Number(y_.size() - 1), Number(x_.size() - 1), Number(y_.size() - 1)};
  Tighten(set);
  return set;
}

bool BoxBounds::Tighten(BoxSet& set) {
  for (const auto& [low, high] : {std::pair{kLeft, kRight}, std::pair{kTop, kBottom}}) {
    set.low[high] = std::max(set.low[high], Number(static_cast<std::size_t>(set.low[low]) + 1));
    set.high[low] = std::min<std::int16_t>(set.high[low], static_cast<std::int16_t>(set.high[high] - 1));
    if (set.low[high] > set.high[high] || set.low[low] > set.high[low]) return false;
  }
  return true;
}

Box BoxBounds::BoxOf(const std::array<std::int16_t, 4>& lines) const {
  const auto at = [](const std::vector<int>& list, std::int16_t i) {
    return list[static_cast<std::size_t>(i)];
  };
  return {at(x_, lines[kLeft]), at(y_, lines[kTop]), at(x_, lines[kRight]), at(y_, lines[kBottom])};
}

std::size_t BoxBounds::Lowest(const BoxSet& set) const {
  // The order of BoxList: by top, bottom, left, right.
  const auto pair = [](std::size_t lines, std::int16_t low, std::int16_t high) {
    const auto a = static_cast<std::size_t>(low), b = static_cast<std::size_t>(high);
    return a * (2 * lines - a - 1) / 2 + (b - a - 1);
  };
  return pair(y_.size(), set.low[kTop], set.low[kBottom]) * (x_.size() * (x_.size() - 1) / 2) +
         pair(x_.size(), set.low[kLeft], set.low[kRight]);
}

// Every cell boundary increases with both sides of the box that it lies between. Its minimum over the set is
// at the first lines, its maximum at the last lines.
double BoxBounds::Bound(const BoxSet& set) {
  const Box first = BoxOf(set.low), last = BoxOf(set.high);
  const PointLines& lines = image_.lines();
  std::int64_t sum = 0;
  std::uint64_t least = 0, most = 0;
  std::size_t cell = 0;
  for (int level = 0; level < f_.levels(); ++level)
    for (int j = 0; j < 1 << level; ++j) {
      const auto row = [&](const Box& box, int k) {
        return lines.row(CellBoundary(box.top, box.bottom, k, level));
      };
      for (int i = 0; i < 1 << level; ++i, ++cell) {
        const auto column = [&](const Box& box, int k) {
          return lines.column(CellBoundary(box.left, box.right, k, level));
        };
        const PointRange largest = {column(first, i), column(last, i + 1), row(first, j), row(last, j + 1)};
        const PointRange smallest = {column(last, i), column(first, i + 1), row(last, j), row(first, j + 1)};
        if (f_.kernel() == BoxKernel::kIntersection) {
          sum += StepsOf(up_, largest, cell) + StepsOf(down_, smallest, cell);
        } else {
          sum += SumOf(positive_, largest, cell) + SumOf(negative_, smallest, cell);
          least += MagnitudeOf(smallest);
          most += MagnitudeOf(largest);
        }
      }
    }
  if (f_.kernel() == BoxKernel::kIntersection) return BoxFunction::IntersectionScore(sum);
  if (Single(set)) return BoxFunction::LinearScore(sum, LinearFactor(f_.kernel(), most));
  // A non-empty histogram has a norm of at least 1. An empty one has score 0.
  const std::uint64_t magnitude = sum > 0 ? std::max<std::uint64_t>(least, 1) : most;
  return BoxFunction::LinearScore(sum, LinearFactor(f_.kernel(), magnitude));
}

FoundOutput BestBox(const BoxFunction& f, const BoxImage& image) {
  BoxBounds space(f, image);
  return SearchByBounds(space, space.Whole());
}

}  // namespace okbench
