#pragma once
// Scaling images down, and the boxes in them. In integers: the same bits on every compiler and machine.

#include "datasets/images/raster.h"
#include "learners/boxes/word_images.h"

namespace okbench {

/// The image so that its longer side has at most `longer_side` pixels, >= 1; as it is where that holds
/// already. Both sides are multiplied by longer_side / max(width, height) and rounded half up, to at least 1.
///
/// Columns are scaled first, then rows, with bytes between. A new pixel is the weighted mean of old ones,
/// rounded half up and cut to 0 .. 255. Weights are the cubic kernel of Keys (1981; a = -1/2, Catmull-Rom) at
/// the distance of two pixels' middles in new pixels: it widens with the ratio, against aliasing. Beyond the
/// edges there are no pixels.
Raster ScaleDown(const Raster& image, int longer_side);

/// The box in an image scaled from width x height to new_width x new_height, all > 0: each coordinate times
/// new / old, rounded half up and cut to the image. A thin box may end up without area.
Box ScaleBox(const Box& box, int width, int height, int new_width, int new_height);

}  // namespace okbench
