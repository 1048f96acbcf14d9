#pragma once
// BoxTape: records once which count steps a sliding window makes over all boxes of an image. A move from one
// box to the next removes and adds points of a cell. For a function f = sum_w sum_{c < h_w} step_w[c],
// raising the count of a word from h to h' adds step_w[h] + ... + step_w[h' - 1]. The indices of these steps
// depend only on the image, so scores of any function are sums over the tape. Immutable and thread-safe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "boxes/learners/box_features.h"

namespace okbench {

class BoxTape {
 public:
  /// Maximum number of entries; longer tapes are not recorded.
  static constexpr std::size_t kLongest = std::size_t{1} << 20;

  BoxTape(const BoxImage& image, std::size_t words, int levels);
  /// Whether the tape was not recorded: it would be too long, or the image has too many points.
  bool empty() const { return boxes_.empty(); }
  /// Adds the contribution of a cell to f of each box, in units, to sums[box]. `table` is scratch memory.
  void Play(const BoxFunction& f, std::size_t cell, std::span<std::int64_t> sums,
            std::vector<std::int64_t>& table) const;

 private:
  // The (rank + 1)-th point of a word in a cell.
  struct Point {
    std::uint16_t word = 0, rank = 0;
  };
  struct Cell {
    // Table indices: 0 is no step, 1 + p adds the step of point p, 1 + points + p subtracts it.
    std::vector<Point> points;
    std::vector<std::uint16_t> places;  // table indices, box by box, padded to multiples of four
    std::vector<std::uint16_t> fours;   // number of groups of four per box
  };
  void Record(const BoxImage& image, std::size_t words, int level, int i, int j, Cell& cell);

  std::size_t words_;
  std::vector<std::uint32_t> boxes_;  // box numbers in the order of the tape
  std::vector<Cell> cells_;
};

}  // namespace okbench
