#include "boxes/learners/box_space.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <set>

#include "base/error.h"
#include "boxes/learners/box_tape.h"

namespace okbench {

BoxList::BoxList(const BoxSettings& options, std::span<const BoxSize> sizes, int width, int height) {
  const int stride = options.stride;
  const bool by_size = options.candidates == BoxSettings::Candidates::kSizes;
  key_ = (by_size ? "sizes " : "grid ") + std::to_string(stride);
  for (const int side : {width, height}) key_ += " " + std::to_string(side);
  for (const BoxSize& size : by_size ? sizes : std::span<const BoxSize>())
    key_ += " " + std::to_string(size.width) + "x" + std::to_string(size.height);
  if (by_size) {
    for (const BoxSize& size : sizes) {
      const int across = std::min(size.width, width), down = std::min(size.height, height);
      for (int top = 0; top + down <= height; top += stride) {
        const std::size_t first = boxes_.size();
        for (int left = 0; left + across <= width; left += stride)
          boxes_.push_back({left, top, left + across, top + down});
        runs_.push_back({first, boxes_.size() - first});
      }
    }
    return;
  }
  const int columns = width / stride, rows = height / stride;
  // An image smaller than one cell of the grid has one box, the image itself.
  for (int c = 0; c <= columns; ++c) columns_.push_back(width % stride / 2 + c * stride);
  for (int r = 0; r <= rows; ++r) rows_.push_back(height % stride / 2 + r * stride);
  if (columns == 0 || rows == 0) {
    columns_ = {0, width};
    rows_ = {0, height};
  }
  for (std::size_t top = 0; top < rows_.size(); ++top)
    for (std::size_t bottom = top + 1; bottom < rows_.size(); ++bottom)
      for (std::size_t left = 0; left + 1 < columns_.size(); ++left) {
        const std::size_t first = boxes_.size();
        for (std::size_t right = left + 1; right < columns_.size(); ++right)
          boxes_.push_back({columns_[left], rows_[top], columns_[right], rows_[bottom]});
        runs_.push_back({first, boxes_.size() - first});
      }
}

BoxSpace::BoxSpace(const BoxSettings& options, std::vector<BoxSize> sizes)
    : options_(options), sizes_(std::move(sizes)) {
  if (options.stride < 1 || options.levels < 1 || CellsOf(options.levels) > kMaxCells || options.sizes < 1)
    throw InvalidArgument("boxes: stride and sizes must be >= 1, and levels 1 to 3");
}

const BoxList& BoxSpace::Of(int width, int height) {
  auto& list = lists_[{width, height}];
  if (!list) list = std::make_unique<const BoxList>(options_, sizes_, width, height);
  return *list;
}

std::uint64_t EstimatedBoxes(const BoxSettings& options) {
  const auto columns = static_cast<std::uint64_t>(300 / options.stride),
             rows = static_cast<std::uint64_t>(225 / options.stride);
  if (options.candidates == BoxSettings::Candidates::kSizes)
    return static_cast<std::uint64_t>(options.sizes) * std::max<std::uint64_t>(columns * rows / 3, 1);
  return std::max<std::uint64_t>(columns * (columns + 1) / 2 * (rows * (rows + 1) / 2), 1);
}

std::uint64_t EstimatedBoxBytes(std::uint64_t boxes, bool intersection) {
  constexpr std::uint64_t kBoxAndNorm = 32, kOnTape = 800;
  const std::uint64_t longest = sizeof(std::uint16_t) * BoxTape::kLongest / std::max<std::uint64_t>(boxes, 1);
  return kBoxAndNorm + (intersection ? std::min(kOnTape, longest) : 0);
}

std::vector<BoxSize> ClusterSizes(std::span<const Box> boxes, int count) {
  if (count < 1) throw InvalidArgument("the number of box sizes must be >= 1");
  if (boxes.empty()) throw InvalidArgument("clustering box sizes needs at least one box");
  std::vector<BoxSize> all;
  for (const Box& box : boxes) all.push_back({box.width(), box.height()});
  std::sort(all.begin(), all.end(), [](const BoxSize& a, const BoxSize& b) {
    const auto area = [](const BoxSize& s) { return std::int64_t{s.width} * s.height; };
    return area(a) != area(b) ? area(a) < area(b) : a < b;
  });
  const auto clusters = static_cast<std::size_t>(count);
  std::vector<BoxSize> centres;
  for (std::size_t c = 0; c < clusters; ++c)
    centres.push_back(all[(2 * c + 1) * all.size() / (2 * clusters)]);
  for (bool moved = true; moved;) {
    std::vector<std::int64_t> widths(clusters), heights(clusters), members(clusters);
    for (const BoxSize& size : all) {
      std::size_t nearest = 0;
      std::int64_t least = std::numeric_limits<std::int64_t>::max();
      for (std::size_t c = 0; c < clusters; ++c) {
        const std::int64_t dx = size.width - centres[c].width, dy = size.height - centres[c].height;
        if (dx * dx + dy * dy < least) {
          least = dx * dx + dy * dy;
          nearest = c;
        }
      }
      widths[nearest] += size.width;
      heights[nearest] += size.height;
      ++members[nearest];
    }
    moved = false;
    for (std::size_t c = 0; c < clusters; ++c) {
      const std::int64_t n = members[c];
      if (n == 0) continue;
      const BoxSize mean = {static_cast<int>((2 * widths[c] + n) / (2 * n)),
                            static_cast<int>((2 * heights[c] + n) / (2 * n))};
      moved = moved || mean != centres[c];
      centres[c] = mean;
    }
  }
  const std::set<BoxSize> different(centres.begin(), centres.end());
  return {different.begin(), different.end()};
}

PointLines::PointLines(const WordImage& image) {
  for (int x = 0; x <= image.width; ++x) columns_.push_back(image.ColumnsBelow(x));
  for (int y = 0; y <= image.height; ++y) rows_.push_back(image.RowsBelow(y));
}

void PointLines::Cells(const Box& box, int levels, std::array<PointRange, kMaxCells>& cells) const {
  std::size_t cell = 0;
  for (int level = 0; level < levels; ++level) {
    const int n = 1 << level;
    for (int j = 0; j < n; ++j) {
      const int r0 = row(CellBoundary(box.top, box.bottom, j, level));
      const int r1 = row(CellBoundary(box.top, box.bottom, j + 1, level));
      for (int i = 0; i < n; ++i)
        cells[cell++] = {column(CellBoundary(box.left, box.right, i, level)),
                         column(CellBoundary(box.left, box.right, i + 1, level)), r0, r1};
    }
  }
}

}  // namespace okbench
