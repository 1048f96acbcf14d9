#pragma once
// Dense descriptors: histograms of gradient orientations around every point of a grid (SIFT of Lowe 2004 and
// HOG of Dalal and Triggs 2005, without interpolation). All arithmetic is in integers, so the bits are the
// same on every machine.
//
// A patch has cells x cells cells of cell x cell pixels around its point. Each pixel adds the length of its
// gradient (central differences, replicated edges) to one of 8 signed orientations of its cell. The vector of
// cells x cells x 8 sums is scaled to Euclidean norm 512, clipped at 0.2 of the norm, and scaled again. The
// result is bytes with a norm of at most 512. Patches without contrast are zero.

#include <cstdint>
#include <vector>

#include "boxes/images/raster.h"

namespace okbench {

/// Version of the visual words; part of the id of every trial on images. Increment it with every change of
/// words.
inline constexpr int kWordsRevision = 1;

/// Geometry of the grid and of its patches.
struct PatchOptions {
  int step = 4;   ///< distance of grid points in pixels, >= 1
  int cell = 4;   ///< side of a cell in pixels, a multiple of step
  int cells = 4;  ///< cells per side of a patch
  int side() const { return cell * cells; }
  int length() const { return cells * cells * 8; }
};

/// One channel of an image: one byte per pixel, row-major.
using Plane = std::vector<std::uint8_t>;

/// Returns the brightness floor((4899 R + 9617 G + 1868 B + 2^13) / 2^14). A grey image is returned
/// unchanged.
Plane GreyPlane(const Raster& image);

/// Returns hue (0 .. 179), saturation and value (0 .. 255), rounded half up. Grey pixels have hue and
/// saturation 0.
std::vector<Plane> HsvPlanes(const Raster& image);

/// Returns the number of grid points along a side of `pixels` pixels. Every patch lies inside the image.
int PointsAlong(int pixels, const PatchOptions& options);
/// Returns the coordinate of the first grid point: the pixel right of and below the centre of its patch.
inline int FirstPoint(const PatchOptions& options) { return options.side() / 2; }

/// Returns the descriptors of all grid points as an array [row][column][options.length()]. Empty if the image
/// is smaller than a patch.
std::vector<std::uint8_t> DenseDescriptors(const Plane& plane, int width, int height,
                                           const PatchOptions& options);

}  // namespace okbench
