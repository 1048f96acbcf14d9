#pragma once
// Loads images with boxes from an archive with annotations, the publisher's archives, or the generator.
// Builds without OKBENCH_BOXES have no_images.cpp instead, whose functions throw DataError.

#include "datasets/catalog.h"
#include "datasets/images/image_source.h"
#include "datasets/images/words.h"
#include "datasets/locate.h"
#include "datasets/request.h"
#include "learners/boxes/word_images.h"

namespace okbench {

/// The images of a request's part, in the order of their numbers. Throws DataError for a file that is damaged
/// or missing, a box outside its image, an annotation without image, or a number of images other than the
/// catalogue's.
template <class T>
Examples<T> LoadImages(const DataSet& set, const DataRequest& request, const DataFolders& folders);

/// The visual words of a data set.
struct WordsReport {
  std::size_t words = 0;            ///< size of the vocabulary
  std::size_t training_images = 0;
  std::string file;                 ///< in the cache; empty when the cache is not writable
  bool made = false;                ///< false: the file existed and was verified
};
/// Makes or verifies the visual words. Throws DataError.
WordsReport PrepareWords(const DataSet& set, const DataFolders& folders);

/// The encoded images behind words, with their annotations.
struct SourceImage {
  Annotated annotated;
  EncodedImage image;
};

/// Synthetic fallback images of a part: striped ellipses among blobs on a textured ground, one object each; image i
/// does not depend on how many there are. Encoded as PPM.
std::vector<SourceImage> DrawShapes(const DataSet& set, const std::string& part, std::size_t count);

/// The number in a name: its first digits; 0 without.
std::uint64_t NumberIn(const std::string& name);

}  // namespace okbench
