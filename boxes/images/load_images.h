#pragma once
// Loads images with annotated boxes from an archive and a table, from the publisher's archives, or from the
// generator. Builds without OKBENCH_BOXES compile no_images.cpp instead, whose functions throw DataError.

#include "boxes/images/image_source.h"
#include "boxes/images/words.h"
#include "boxes/learners/word_images.h"
#include "datasets/catalog/catalog.h"
#include "datasets/files/locate.h"
#include "datasets/rows/request.h"

namespace okbench {

/// Returns the images of the requested parts, each part sorted by image number. Throws DataError for a
/// damaged or missing file, a box outside its image, an annotation without image, or a wrong number of
/// images.
template <class T>
Examples<T> LoadImages(const DataSet& set, const DataRequest& request, const DataFolders& folders);

/// The visual words of a data set.
struct WordsReport {
  std::size_t words = 0;  ///< size of the vocabulary
  std::size_t training_images = 0;
  std::string file;     ///< path of the cache file; empty: the cache is not writable
  bool is_new = false;  ///< true: computed by this call; false: read from the cache
};
/// Computes the visual words of a data set, or verifies the cached ones. Throws DataError like LoadImages().
WordsReport PrepareWords(const DataSet& set, const DataFolders& folders);

/// An encoded image with its annotations.
struct SourceImage {
  Annotated annotated;
  EncodedImage image;
};

/// Draws the synthetic images of a part as PPM: one striped ellipse, the object, among plain ellipses on a
/// textured background. Image i does not depend on `count`.
std::vector<SourceImage> DrawShapes(const DataSet& set, const std::string& part, std::size_t count);

/// Returns the first run of digits in a name as a number; 0 if there is none.
std::uint64_t NumberIn(const std::string& name);

}  // namespace okbench
