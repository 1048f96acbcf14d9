#pragma once
// Loading images with boxes: from their archive and annotations, the publisher's archives or the generator to
// WordImages.

#include "datasets/catalog.h"
#include "datasets/images/image_source.h"
#include "datasets/images/words.h"
#include "datasets/locate.h"
#include "datasets/request.h"
#include "learners/boxes/word_images.h"

namespace okbench {

/// The images of a request's part, in the order of their numbers. Throws DataError: what is damaged or
/// missing, a box outside of its image, an annotation without image, another number of images than the
/// catalogue says.
WordImages LoadImages(const DataSet& set, const DataRequest& request, const DataFolders& folders);

/// The encoded images behind words, with their annotations.
struct SourceImage {
  Annotated annotated;
  EncodedImage image;
};

/// Where the words of a set's images are, or would be. Throws DataError where files are missing.
WordsFile WordsOf(const DataSet& set, const DataFolders& folders);

/// Stand-in images of a part: striped ellipses among blobs on a textured ground, one object each; image i
/// does not depend on how many there are. Encoded as PPM.
std::vector<SourceImage> DrawShapes(const DataSet& set, const std::string& part, std::size_t count);

/// The number in a name: its first digits; 0 without.
std::uint64_t NumberIn(const std::string& name);

}  // namespace okbench
