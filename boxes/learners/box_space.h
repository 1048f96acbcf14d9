#pragma once
// BoxSpace: the boxes of an image that are outputs, their order, and the cells of their spatial pyramids.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "boxes/learners/word_images.h"
#include "learners/api/learner.h"

namespace okbench {

struct BoxSize {
  int width = 0, height = 0;
  friend bool operator==(const BoxSize&, const BoxSize&) = default;
  friend bool operator<(const BoxSize& a, const BoxSize& b) {
    return a.width != b.width ? a.width < b.width : a.height < b.height;
  }
};

/// Selects the boxes that are outputs, their features, and the measures of tests.
struct BoxSettings {
  enum class Candidates {
    kSizes,  ///< boxes of a few sizes at the points of a grid (sfd-2013, section 5.2)
    kGrid,   ///< all boxes whose sides are lines of a grid (section 5.3)
  };
  enum class Normalisation { kL2, kL1, kNone };  ///< of histograms, for the linear kernel
  Candidates candidates = Candidates::kGrid;
  int stride = 16;  ///< distance of the grid's points or lines, in pixels, >= 1
  int sizes = 2;    ///< kSizes: number of clusters of the training boxes' sizes, >= 1
  int levels = 2;   ///< levels of the spatial pyramid, 1 .. 3; level l has 2^l x 2^l cells
  Normalisation normalisation = Normalisation::kL2;
  bool recall = false;       ///< tests also measure the share of objects that the best boxes cover
  double suppression = 0.9;  ///< recall: overlap from which a box is left out for a better one, in (0, 1]
  bool bounds = false;       ///< tests also search by branch and bound, and compare the results
};

struct BoxOptions final : OutputOptions, BoxSettings {};

/// Cells of the largest pyramid: 1 + 4 + 16.
inline constexpr int kMaxCells = 21;
/// Number of cells of a pyramid: 1, 5 or 21 for 1, 2 or 3 levels.
constexpr int CellsOf(int levels) { return ((1 << (2 * levels)) - 1) / 3; }

/// A run of `count` boxes in the same rows, starting at output `first`. Left and right sides never decrease.
struct BoxRun {
  std::size_t first = 0, count = 0;
};

/// The boxes of all images of one size, numbered 0 .. size()-1 in a fixed order. Immutable and thread-safe.
class BoxList {
 public:
  /// kSizes: size by size, each from top to bottom and left to right; a size larger than the image is cut to
  /// it. kGrid: by top, bottom, left, right; lines are `stride` apart and centred in the image. An image
  /// smaller than one cell of the grid has one box.
  BoxList(const BoxSettings& options, std::span<const BoxSize> sizes, int width, int height);

  std::size_t size() const { return boxes_.size(); }
  const Box& operator[](std::size_t i) const { return boxes_[i]; }
  /// Lists with equal keys are equal.
  const std::string& key() const { return key_; }
  std::span<const BoxRun> runs() const { return runs_; }
  /// kGrid: the grid lines, in pixels; any two of them are the sides of a box. Otherwise empty.
  std::span<const int> columns() const { return columns_; }
  std::span<const int> rows() const { return rows_; }

 private:
  std::string key_;
  std::vector<Box> boxes_;
  std::vector<BoxRun> runs_;
  std::vector<int> columns_, rows_;
};

/// The box lists of a set of images, one per image size. Not thread-safe; the lists are.
class BoxSpace {
 public:
  /// Throws InvalidArgument for options outside their ranges.
  BoxSpace(const BoxSettings& options, std::vector<BoxSize> sizes);

  const BoxSettings& options() const { return options_; }
  std::span<const BoxSize> sizes() const { return sizes_; }
  /// Returns the list for images of this size; the first call builds it.
  const BoxList& Of(int width, int height);

 private:
  BoxSettings options_;
  std::vector<BoxSize> sizes_;
  std::map<std::pair<int, int>, std::unique_ptr<const BoxList>> lists_;
};

/// Number of boxes of an image of 300 x 225 pixels, for cost models.
std::uint64_t EstimatedBoxes(const BoxSettings& options);
/// Estimated memory per box while its image is in use, in bytes, for an image with `boxes` boxes.
std::uint64_t EstimatedBoxBytes(std::uint64_t boxes, bool intersection);

/// Clusters the sizes of the training boxes by Lloyd's algorithm in integer pixels. Starts from boxes evenly
/// spaced in the order of their areas and runs until nothing changes. Returns at most `count` sizes, sorted,
/// without duplicates. Throws InvalidArgument if `boxes` is empty or count < 1.
std::vector<BoxSize> ClusterSizes(std::span<const Box> boxes, int count);

/// Points of an image in a cell: columns c0 .. c1-1, rows r0 .. r1-1.
struct PointRange {
  int c0 = 0, c1 = 0, r0 = 0, r1 = 0;
  /// Number of points, one per column and row.
  std::uint64_t points() const {
    return c1 > c0 && r1 > r0 ? static_cast<std::uint64_t>(c1 - c0) * static_cast<std::uint64_t>(r1 - r0) : 0;
  }
};

/// Boundary i of the 2^level + 1 between `from` and `to`: from + floor((to - from) i / 2^level).
constexpr int CellBoundary(int from, int to, int i, int level) { return from + ((to - from) * i >> level); }

/// Lookup table of the number of point columns and rows below a pixel. Immutable and thread-safe.
class PointLines {
 public:
  explicit PointLines(const WordImage& image);
  int column(int x) const { return columns_[static_cast<std::size_t>(x)]; }
  int row(int y) const { return rows_[static_cast<std::size_t>(y)]; }
  /// Writes the cells of a box: level by level, each from top to bottom and left to right.
  void Cells(const Box& box, int levels, std::array<PointRange, kMaxCells>& cells) const;

 private:
  std::vector<int> columns_, rows_;
};

}  // namespace okbench
