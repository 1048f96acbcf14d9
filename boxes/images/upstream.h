#pragma once
// Reads annotated images from the original archives of their publishers.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "boxes/images/image_source.h"

namespace okbench {

/// Layout of a publisher's archives. The paths may be nested below other folders. N stands for digits.
enum class ImageLayout {
  /// PASCAL VOC 2007: images VOC2007/JPEGImages/N.jpg with boxes in VOC2007/Annotations/N.xml. The images of
  /// a split are listed in VOC2007/ImageSets/Main/<split>.txt or, if missing, in <category>_<split>.txt.
  kVoc2007,
  /// Caltech-101: images 101_ObjectCategories/Faces/image_N.jpg with boxes in
  /// Annotations/Faces_2/annotation_N.mat (MATLAB 5 files with box_coord: top, bottom, left, right). The only
  /// category is "face".
  kCaltech101,
  /// PASCAL object recognition database collection: images PNGImages/..., with boxes in .txt files that start
  /// with "# PASCAL Annotation Version 1.00" and name their image. "PAScow" and "PAScowSide" are of category
  /// "cow".
  kPascal1,
};

/// The bytes of a tar or zip archive, without outer compression.
struct FileBytes {
  std::string name;  ///< for messages
  std::string_view bytes;
};

/// Selection of images.
struct ImageSelection {
  std::vector<std::string> categories{};
  std::string split{};   ///< "train" or "test"; ignored by layouts without splits
  bool single = false;   ///< only images with exactly one object of the category that is not difficult
  std::size_t most = 0;  ///< maximum number of images per category, in path order; 0: all
};

/// An image of a publisher's archive.
struct UpstreamImage {
  Annotated annotated;  ///< its split is "all" for layouts without splits
  std::string bytes;    ///< encoded as published
};

/// Returns the selected images, sorted by name. An image is selected for a category if it has an object of
/// the category that is not difficult; `single` and `most` apply to each category separately. An image lists
/// all its objects of the categories it is selected for, including difficult ones. Box coordinates count from
/// 0; minima are inclusive, maxima exclusive. Does not check that boxes lie inside their image. Reads the
/// archives twice and holds only the selected images in memory.
///
/// Throws DataError with archive, member and cause for damaged or truncated archives or annotations,
/// malformed numbers, coordinates below 1, boxes without area, missing or duplicate images and annotations,
/// and categories without images.
std::vector<UpstreamImage> ReadUpstream(ImageLayout layout, std::span<const FileBytes> archives,
                                        const ImageSelection& wanted);

}  // namespace okbench
