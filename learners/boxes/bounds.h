#pragma once
// The best box by branch and bound (Lampert, Blaschko and Hofmann 2008): sets of boxes of a grid are
// intervals of its lines for the four sides, and f of a set is bounded by what its largest and its smallest
// box hold.
//
//   intersection   f = sum_d g_d(h_d), g_d = rising + falling part:   sum_d up_d(h_d of the largest cell)
//                                                                     - down_d(h_d of the smallest cell)
//   linear         positive and negative weights likewise; the sum is divided by the least norm that a box of
//                  the set can have where it is positive, else by the largest
//
// A set of one box has its score, to the last bit; of equal scores the box with the lowest number wins: what
// the exhaustive search finds.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "learners/boxes/box_features.h"
#include "learners/outputs/search.h"

namespace okbench {

/// Lines low .. high, both in, for each side of a box: left, top, right, bottom.
struct BoxSet {
  std::array<std::int16_t, 4> low{}, high{};
};

/// The space of SearchByBounds. Refers to function and image. Not thread-safe.
class BoxBounds {
 public:
  using Set = BoxSet;
  /// Throws InvalidArgument for lists that are no grid.
  BoxBounds(const BoxFunction& f, const BoxImage& image);

  /// All boxes.
  BoxSet Whole() const;
  double Bound(const BoxSet& set);
  std::size_t Lowest(const BoxSet& set) const;
  static bool Single(const BoxSet& set) { return set.low == set.high; }
  template <class Visit>
  void Split(const BoxSet& set, const Visit& visit) const {
    // The widest side in two. Boxes need right > left and bottom > top: sets without any are left out, the
    // rest are cut to lines that some box has.
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
  std::int64_t StepsOf(const std::vector<std::int64_t>& steps, const PointRange& range, std::size_t cell);

  const BoxFunction& f_;
  const BoxImage& image_;
  std::vector<int> x_, y_;  // lines, in pixels
  std::size_t cells_, across_;
  std::vector<std::int64_t> positive_, negative_;  // linear: integral images, [cell][row][column]
  std::optional<RectangleSquares> squares_;        // linear
  // Intersection: steps of both parts, each place's from first_ on, then a 0.
  std::vector<std::int64_t> up_, down_;
  std::vector<std::uint32_t> first_, length_;
  std::vector<std::uint16_t> counts_;
};

/// The best box of an image whose list is a grid.
FoundOutput BestBox(const BoxFunction& f, const BoxImage& image);

}  // namespace okbench
