#pragma once
// Dense descriptors: histograms of gradient orientations around every point of a grid (SIFT of Lowe 2004 and
// HOG of Dalal and Triggs 2005 without interpolation), in integers, so that their bits are the same on every
// machine.
//
// A patch has cells x cells cells of cell x cell pixels around its point. A pixel votes with the length of
// its gradient (central differences, edges repeated) for one of 8 signed orientations of its cell. The list
// of cells x cells x 8 sums is scaled to the Euclidean norm 512, cut at 0.2 of that and scaled again; what is
// left are bytes, with a norm of at most 512. Patches without contrast have zeros.

#include <cstdint>
#include <vector>

#include "datasets/images/raster.h"

namespace okbench {

/// Part of the id of every trial on images: raised with any change of the words that images are made of.
inline constexpr int kWordsRevision = 1;

struct PatchOptions {
  int step = 4;   ///< pixels between points, >= 1
  int cell = 4;   ///< pixels a side of a cell, a multiple of step
  int cells = 4;  ///< of a patch, a side
  int side() const { return cell * cells; }
  int length() const { return cells * cells * 8; }
};

/// A grey plane of an image: one byte a pixel.
using Plane = std::vector<std::uint8_t>;

/// Brightness, (4899 R + 9617 G + 1868 B + 2^13) / 2^14; of a grey image itself.
Plane GreyPlane(const Raster& image);

/// Hue (0 .. 179), saturation and value (0 .. 255), rounded half up. A grey image has hue and saturation 0.
std::vector<Plane> HsvPlanes(const Raster& image);

/// Points of a grid along a side of `pixels` pixels: those whose patches lie inside.
int PointsAlong(int pixels, const PatchOptions& options);
/// Pixel of the first point, right of and below its patch's middle.
inline int FirstPoint(const PatchOptions& options) { return options.side() / 2; }

/// [row][column][length] of all points.
std::vector<std::uint8_t> DenseDescriptors(const Plane& plane, int width, int height,
                                           const PatchOptions& options);

}  // namespace okbench
