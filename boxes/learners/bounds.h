#pragma once
// Finds the best box by branch and bound (Lampert, Blaschko and Hofmann 2008). A set of boxes of a grid has
// an interval of grid lines for each of the four sides. Its largest and its smallest box bound f on the set.
//
//   intersection   f = sum_d g_d(h_d), g_d = rising + falling part:   sum_d up_d(h_d of the largest cell)
//                                                                     - down_d(h_d of the smallest cell)
//   linear         positive and negative weights likewise; a positive sum is divided by the smallest norm in
//                  the set, other sums by the largest norm; L1 norms are counts of points
//
// The bound of a single box is its score, to the last bit. Ties go to the box with the lowest number. The
// result is that of the exhaustive search.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "boxes/learners/box_features.h"
#include "learners/outputs/search.h"

namespace okbench {

/// Grid lines low .. high, inclusive, for each side of a box: left, top, right, bottom.
struct BoxSet {
  std::array<std::int16_t, 4> low{}, high{};
};

/// `Space` of SearchByBounds. Refers to `f` and `image`, which must outlive it. Not thread-safe.
class BoxBounds {
 public:
  using Set = BoxSet;
  /// Throws InvalidArgument if the image's box list is not a grid, or if a linear kernel needs too large a
  /// table.
  BoxBounds(const BoxFunction& f, const BoxImage& image);

  /// The set of all boxes.
  BoxSet Whole() const;
  double Bound(const BoxSet& set);
  std::size_t Lowest(const BoxSet& set) const;
  static bool Single(const BoxSet& set) { return set.low == set.high; }
  template <class Visit>
  void Split(const BoxSet& set, const Visit& visit) const {
    // Halves the widest interval. Removes parts without a valid box (right > left, bottom > top), and
    // tightens the others to lines of valid boxes.
    std::size_t widest = 0;
    for (std::size_t s = 1; s < 4; ++s)
      if (set.high[s] - set.low[s] > set.high[widest] - set.low[widest]) widest = s;
    BoxSet lower = set, upper = set;
    const auto middle = static_cast<std::int16_t>((set.low[widest] + set.high[widest]) / 2);
    lower.high[widest] = middle;
    upper.low[widest] = static_cast<std::int16_t>(middle + 1);
    for (BoxSet* part : {&lower, &upper})
      if (Tighten(*part)) visit(*part);
  }

 private:
  static bool Tighten(BoxSet& set);
  Box BoxOf(const std::array<std::int16_t, 4>& lines) const;
  void Integrate();
  void SplitSteps();
  std::int64_t SumOf(const std::vector<std::int64_t>& integral, const PointRange& range,
                     std::size_t cell) const;
  // The range's part of Magnitude().
  std::uint64_t MagnitudeOf(const PointRange& range) const;
  std::int64_t StepsOf(const std::vector<std::int64_t>& steps, const PointRange& range, std::size_t cell);

  const BoxFunction& f_;
  const BoxImage& image_;
  std::vector<int> x_, y_;  // grid lines, in pixels
  std::size_t cells_, across_;
  std::vector<std::int64_t> positive_, negative_;  // linear: integral images, [cell][row][column]
  std::optional<RectangleSquares> squares_;        // kL2Linear: squared norms
  // Intersection: steps of both parts. The steps of a place start at first_, followed by a 0.
  std::vector<std::int64_t> up_, down_;
  std::vector<std::uint32_t> first_, length_;
  std::vector<std::uint16_t> counts_;
};

/// Returns the best box of an image. Throws InvalidArgument as BoxBounds does.
FoundOutput BestBox(const BoxFunction& f, const BoxImage& image);

}  // namespace okbench
