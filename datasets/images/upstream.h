#pragma once
// Annotated images as their publishers pack them, so that nobody depends on a copy.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/images/image_source.h"

namespace okbench {

/// Folders may lie below others. N stands for digits.
enum class ImageLayout {
  /// PASCAL VOC 2007: VOC2007/JPEGImages/N.jpg with boxes in VOC2007/Annotations/N.xml. Images of a split are
  /// those in VOC2007/ImageSets/Main/<split>.txt or, without it, in <category>_<split>.txt.
  kVoc2007,
  /// Caltech-101: 101_ObjectCategories/Faces/image_N.jpg, its box in Annotations/Faces_2/annotation_N.mat (a
  /// MATLAB 5 file with box_coord: top, bottom, left, right). The only category is "face".
  kCaltech101,
  /// The PASCAL object recognition database collection: PNGImages/..., told by texts that start with "PASCAL
  /// Annotation Version 1.00" and name their image. Objects "PAScow" and "PAScowSide" are of category "cow".
  kPascal1,
};

/// An archive, tar or zip, its bytes not compressed.
struct FileBytes {
  std::string name;  ///< for messages
  std::string_view bytes;
};

struct Wanted {
  std::vector<std::string> categories{};
  std::string split{};   ///< "train" or "test"; layouts without splits pass over it
  bool single = false;   ///< only images with exactly one object of the category that is not difficult
  std::size_t most = 0;  ///< images of a category, those of the lowest paths; 0: all
};

struct UpstreamImage {
  Annotated annotated;  ///< split "all" where the layout has none
  std::string bytes;    ///< encoded as published
};

/// Images in the order of their names. Those of a category have an object of it that is not difficult;
/// `single` and `most` hold for each category by itself. An image has all objects, difficult ones too, of the
/// categories that it serves. Boxes count from 0, minimum inclusive, maximum exclusive; whether they lie
/// inside the image is not checked. The archives are read twice; only wanted images are kept.
///
/// Throws DataError with archive, member and cause: an archive or annotation that is damaged or truncated, no
/// number, a coordinate below 1, a box without area, an image or annotation that is missing or there twice, a
/// category without images.
std::vector<UpstreamImage> ReadUpstream(ImageLayout layout, std::span<const FileBytes> archives,
                                        const Wanted& wanted);

}  // namespace okbench
