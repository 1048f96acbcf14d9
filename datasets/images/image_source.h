#pragma once
// Annotated images: encoded images with the boxes of their objects, as archives and tables have them.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/images/raster.h"
#include "learners/boxes/word_images.h"

namespace okbench {

/// An object of an image.
struct Annotation {
  std::string category;  ///< "car"
  ImageObject object;
};

/// What is told of an image: its split ("train", "test", "all") and its objects, in their order in the
/// source.
struct Annotated {
  std::string name;
  std::string split;
  std::vector<Annotation> objects;
};

/// A table of boxes, one a row, with the header
/// image,split,class,xmin,ymin,xmax,ymax,difficult[,...]: pixels from 0, minimum inclusive, maximum
/// exclusive.
/// An image's rows may be of several classes and splits; images come in the order of their names. Throws
/// DataError with file and line: a missing column, a number that is none, a box without area.
std::vector<Annotated> ReadBoxTable(const std::string& file, std::string_view text);

/// Throws DataError naming the image: a box that does not lie inside it.
void RequireInside(const std::string& file, const Annotated& image, int width, int height);

}  // namespace okbench
