#pragma once
// BoxSpace: which boxes of an image are outputs, in which order, and the cells of their spatial pyramids.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "learners/api/learner.h"
#include "learners/boxes/word_images.h"

namespace okbench {

struct BoxSize {
  int width = 0, height = 0;
  friend bool operator==(const BoxSize&, const BoxSize&) = default;
  friend bool operator<(const BoxSize& a, const BoxSize& b) {
    return a.width != b.width ? a.width < b.width : a.height < b.height;
  }
};

/// Which boxes are outputs, and what tests measure.
struct BoxSettings {
  enum class Candidates {
    kSizes,  ///< boxes of a few sizes at the points of a grid (sfd-2013, 5.2)
    kGrid,   ///< all boxes whose sides are lines of a grid (5.3)
  };
  Candidates candidates = Candidates::kGrid;
  int stride = 16;      ///< pixels between the grid's points or lines, >= 1
  int sizes = 2;        ///< kSizes: clusters of the training boxes' sizes, >= 1
  int levels = 2;       ///< of the spatial pyramid, 1 .. 3: level l has 2^l x 2^l cells
  bool recall = false;  ///< tests measure how many objects the best boxes cover, too
  bool bounds = false;  ///< tests also search by branch and bound, and compare
};

struct BoxOptions final : OutputOptions, BoxSettings {};

/// The largest pyramid's cells: 1 + 4 + 16.
inline constexpr int kMostCells = 21;
/// Cells of a pyramid: 1, 5 or 21.
constexpr int CellsOf(int levels) { return ((1 << (2 * levels)) - 1) / 3; }

/// Boxes that lie in the same rows: `count` of them from output `first` on, each of whose sides is not left
/// of the one before.
struct BoxRun {
  std::size_t first = 0, count = 0;
};

/// The boxes of images of one size, numbered 0 .. size()-1 in a fixed order.
class BoxList {
 public:
  /// Of sizes: the sizes in turn, each from top to bottom, from left to right; a size that is larger than the
  /// image is cut to it. The grid: by top, bottom, left, right; its lines are `stride` apart, with the same
  /// rest on both sides. An image that is smaller than a cell of the grid is one box.
  BoxList(const BoxSettings& options, std::span<const BoxSize> sizes, int width, int height);

  std::size_t size() const { return boxes_.size(); }
  const Box& operator[](std::size_t i) const { return boxes_[i]; }
  /// Lists with the same text are the same.
  const std::string& key() const { return key_; }
  std::span<const BoxRun> runs() const { return runs_; }
  /// Of a grid: its lines, in pixels, between any two of which there is a box; else empty.
  std::span<const int> columns() const { return columns_; }
  std::span<const int> rows() const { return rows_; }

 private:
  std::string key_;
  std::vector<Box> boxes_;
  std::vector<BoxRun> runs_;
  std::vector<int> columns_, rows_;
};

/// The boxes of a set of images, one list a size of images. Thread-safe once made.
class BoxSpace {
 public:
  /// Throws InvalidArgument for options out of their ranges.
  BoxSpace(const BoxSettings& options, std::vector<BoxSize> sizes);

  const BoxSettings& options() const { return options_; }
  std::span<const BoxSize> sizes() const { return sizes_; }
  /// The list for images of this size, made by the first call. Not thread-safe.
  const BoxList& Of(int width, int height);

 private:
  BoxSettings options_;
  std::vector<BoxSize> sizes_;
  std::map<std::pair<int, int>, std::unique_ptr<const BoxList>> lists_;
};

/// Boxes of an image of 300 x 225 pixels, for estimates.
std::uint64_t EstimatedBoxes(const BoxSettings& options);
/// Memory that a box takes as long as its image is used, about; `boxes` an image.
std::uint64_t EstimatedBoxBytes(std::uint64_t boxes, bool intersection);

/// Sizes of the training boxes in `count` clusters: Lloyd's algorithm in whole pixels, which starts from
/// boxes evenly spaced in the order of their areas, until nothing changes. Sorted; no more than there are
/// different sizes. Throws InvalidArgument for no boxes.
std::vector<BoxSize> ClusterSizes(std::span<const Box> boxes, int count);

/// Points of an image in a cell: columns c0 .. c1-1, rows r0 .. r1-1.
struct PointRange {
  int c0 = 0, c1 = 0, r0 = 0, r1 = 0;
};

/// Boundary i of the 2^level + 1 between `from` and `to`: from + floor((to - from) i / 2^level).
constexpr int CellBoundary(int from, int to, int i, int level) { return from + ((to - from) * i >> level); }

/// Points below a pixel, looked up: for images whose boxes are many.
class PointLines {
 public:
  explicit PointLines(const WordImage& image);
  int column(int x) const { return columns_[static_cast<std::size_t>(x)]; }
  int row(int y) const { return rows_[static_cast<std::size_t>(y)]; }
  /// The cells of a box: level by level, each from top to bottom, from left to right.
  void Cells(const Box& box, int levels, std::array<PointRange, kMostCells>& cells) const;

 private:
  std::vector<int> columns_, rows_;
};

}  // namespace okbench
