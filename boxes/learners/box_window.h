#pragma once
// Sliding windows over an image's points, for cells of successive boxes that share most of their points.

#include <cstddef>
#include <cstdint>
#include <span>

#include "boxes/learners/box_features.h"

namespace okbench {

/// Calls visit(cell, level, i, j) for all cells of a pyramid.
template <class Visit>
void ForEachCell(int levels, const Visit& visit) {
  std::size_t cell = 0;
  for (int level = 0; level < levels; ++level)
    for (int j = 0; j < 1 << level; ++j)
      for (int i = 0; i < 1 << level; ++i) visit(cell++, level, i, j);
}

/// The points of an image in a moving range. Visitors receive words of contiguous points: add(words) of
/// points that enter, drop(words) of points that leave, reset(words) of all points if the ranges are
/// disjoint.
template <class Add, class Drop, class Reset>
class PointWindow {
 public:
  using Words = std::span<const std::uint16_t>;
  PointWindow(const BoxImage& image, const Add& add, const Drop& drop, const Reset& reset)
      : image_(image), add_(add), drop_(drop), reset_(reset) {}

  void MoveTo(const PointRange& to) {
    if (to.c0 >= range_.c1 || to.c1 <= range_.c0 || to.r0 >= range_.r1 || to.r1 <= range_.r0) {
      Columns(range_.c0, range_.c1, reset_);
      range_ = to;
      Columns(range_.c0, range_.c1, add_);
      return;
    }
    Columns(range_.c0, to.c0, drop_);
    Columns(to.c1, range_.c1, drop_);
    Columns(to.c0, range_.c0, add_);
    Columns(range_.c1, to.c1, add_);
    range_.c0 = to.c0;
    range_.c1 = to.c1;
    if (range_.r0 == to.r0 && range_.r1 == to.r1) return;
    Rows(range_.r0, to.r0, drop_);
    Rows(to.r1, range_.r1, drop_);
    Rows(to.r0, range_.r0, add_);
    Rows(range_.r1, to.r1, add_);
    range_ = to;
  }
  void Leave() { MoveTo({}); }

 private:
  template <class Visit>
  void Columns(int from, int to, const Visit& visit) const {
    const auto count = static_cast<std::size_t>(range_.r1 - range_.r0);
    for (int c = from; c < to; ++c)
      for (int p = 0; p < image_.image().planes; ++p) visit(Words(image_.column(c, p) + range_.r0, count));
  }
  template <class Visit>
  void Rows(int from, int to, const Visit& visit) const {
    const WordImage& words = image_.image();
    const auto count = static_cast<std::size_t>(range_.c1 - range_.c0);
    for (int r = from; r < to; ++r)
      for (int p = 0; p < words.planes; ++p)
        visit(Words(words.plane(p) + r * words.columns + range_.c0, count));
  }

  const BoxImage& image_;
  const Add& add_;
  const Drop& drop_;
  const Reset& reset_;
  PointRange range_;
};

/// Moves a window over one cell of all boxes of the image's list and calls at(output) at each box. Every
/// other run goes backwards, so that successive ranges overlap.
template <class Window, class At>
void SlideCell(const BoxImage& image, Window& window, int level, int i, int j, const At& at) {
  const PointLines& lines = image.lines();
  const BoxList& list = image.list();
  bool back = false;
  for (const BoxRun& run : list.runs()) {
    const Box& first = list[run.first];
    PointRange range;
    range.r0 = lines.row(CellBoundary(first.top, first.bottom, j, level));
    range.r1 = lines.row(CellBoundary(first.top, first.bottom, j + 1, level));
    for (std::size_t k = 0; k < run.count; ++k) {
      const std::size_t b = run.first + (back ? run.count - 1 - k : k);
      range.c0 = lines.column(CellBoundary(list[b].left, list[b].right, i, level));
      range.c1 = lines.column(CellBoundary(list[b].left, list[b].right, i + 1, level));
      window.MoveTo(range);
      at(b);
    }
    back = !back;
  }
  window.Leave();
}

}  // namespace okbench
