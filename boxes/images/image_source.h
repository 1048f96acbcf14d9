#pragma once
// Annotations of images: the bounding boxes of their objects, as read from archives and tables.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "boxes/images/raster.h"
#include "boxes/learners/word_images.h"

namespace okbench {

/// An annotated object of an image.
struct Annotation {
  std::string category;  ///< e.g. "car"
  ImageObject object;
};

/// The annotations of an image: its split ("train", "test" or "all") and its objects in source order.
struct Annotated {
  std::string name;
  std::string split;
  std::vector<Annotation> objects;
};

/// Parses a table with one box per line and the header
///   image,split,class,xmin,ymin,xmax,ymax,difficult[,...]
/// Coordinates are pixels from 0; minima are inclusive, maxima exclusive. An image may occur in several
/// splits and have objects of several classes. Returns one entry per image and split, sorted by image name,
/// then split.
/// Throws DataError with file and line for a missing column, a malformed integer or a box without area.
std::vector<Annotated> ReadBoxTable(const std::string& file, std::string_view text);

/// Throws DataError with the image name if a box of the image is not inside width x height pixels.
void RequireInside(const std::string& file, const Annotated& image, int width, int height);

}  // namespace okbench
