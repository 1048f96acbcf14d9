#pragma once
// BoxTape: what a window meets on its way over all boxes of an image, recorded once. Going from one box to
// the next, a cell loses and gets points; where the count of a word rises from h to h', a function over boxes
// that is a sum over words, f = sum_w sum_{c < h_w} step_w[c], gains step_w[h] + ... + step_w[h' - 1]. Which
// steps these are depends on the image alone: a function's scores are sums over the tape.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/boxes/box_features.h"

namespace okbench {

class BoxTape {
 public:
  /// Longer tapes are not recorded: their image has too many boxes.
  static constexpr std::size_t kLongest = std::size_t{1} << 20;

  BoxTape(const BoxImage& image, std::size_t words, int levels);
  /// Whether it was too long, or the image has too many points.
  bool empty() const { return boxes_.empty(); }
  /// Adds what a cell is to f of each box of the list, in units, to its sum. `table` is scratch.
  void Play(const BoxFunction& f, std::size_t cell, std::span<std::int64_t> sums,
            std::vector<std::int64_t>& table) const;

 private:
  // The (rank + 1)-th point of a word in a cell.
  struct Point {
    std::uint16_t word = 0, rank = 0;
  };
  struct Cell {
    // Places of a table: 0 is no step, 1 + p point p's step, 1 + points + p less its step.
    std::vector<Point> points;
    std::vector<std::uint16_t> places;  // those of each box in turn, to fours
    std::vector<std::uint16_t> fours;   // of each box
  };
  void Record(const BoxImage& image, std::size_t words, int level, int i, int j, Cell& cell);

  std::size_t words_;
  std::vector<std::uint32_t> boxes_;  // in the order of the tape
  std::vector<Cell> cells_;
};

}  // namespace okbench
