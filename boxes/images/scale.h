#pragma once
// Scales down images and their boxes. All arithmetic is in integers, so the bits are the same on every
// machine.

#include "boxes/images/raster.h"
#include "boxes/learners/word_images.h"

namespace okbench {

/// Scales an image down so that its longer side has at most `longer_side` >= 1 pixels. Returns smaller images
/// unchanged. Both sides are multiplied by longer_side / max(width, height), rounded half up, and at least 1.
///
/// The width is scaled first, then the height, with a rounding to bytes in between. A new pixel is the
/// weighted mean of old pixels, rounded half up and clamped to 0 .. 255. The weights are the cubic kernel of
/// Keys (1981; a = -1/2, Catmull-Rom) at the distance of the pixel centres, in units of new pixels, which
/// prevents aliasing. Pixels beyond the edges have weight 0.
Raster ScaleDown(const Raster& image, int longer_side);

/// Scales a box from an image of width x height to one of new_width x new_height pixels, all > 0. Each
/// coordinate is multiplied by new / old, rounded half up and clamped to the image. A thin box may lose its
/// area.
Box ScaleBox(const Box& box, int width, int height, int new_width, int new_height);

}  // namespace okbench
