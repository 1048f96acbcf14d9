#pragma once
// Visual words of images: each descriptor is replaced by its nearest word of a vocabulary that is learned
// from a sample of descriptors. The result is cached, because it is expensive (docs/howto/add-a-data-set.md).

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "boxes/images/descriptors.h"
#include "boxes/learners/word_images.h"

namespace okbench {

/// Parameters of visual words. All of them identify the data.
struct WordOptions {
  std::size_t count = 1000;  ///< words per vocabulary, 1 .. 20000
  bool colour = false;       ///< add a second vocabulary for the planes hue, saturation and value
  int step = 4;              ///< distance of grid points in pixels
  int cell = 4;              ///< side of a descriptor's cell in pixels
  int cells = 4;             ///< cells per side of a descriptor

  PatchOptions patch() const { return {.step = step, .cell = cell, .cells = cells}; }
  std::size_t words() const { return colour ? 2 * count : count; }
};

template <MaybeConst<WordOptions> Object, class Visit>
void VisitFields(Object& words, const Visit& visit) {
  auto& [count, colour, step, cell, cells] = words;
  visit(identity::Always{"count"}, count);
  visit(identity::Always{"colour"}, colour);
  visit(identity::Always{"step"}, step);
  visit(identity::Always{"cell"}, cell);
  visit(identity::Always{"cells"}, cells);
}

/// One encoded image.
struct EncodedImage {
  std::string name;
  std::string bytes;
  bool trains = true;  ///< the vocabulary may be learned from its descriptors
};

/// Visual words by image name. The objects of the images are empty.
using WordMaps = std::map<std::string, WordImage>;

/// Learns the vocabularies and maps every descriptor of every image to its nearest word. Each vocabulary
/// results from 10 rounds of k-means on up to 100 descriptors per word, from up to 200 training images. The
/// sample depends only on a fixed seed and on the order of `images`. Calls progress(images done, all images)
/// after each image, unless it is empty.
/// Throws DataError for an image that cannot be read or is smaller than a patch, and for too few descriptors.
WordMaps MakeWords(const std::string& name, const std::vector<EncodedImage>& images,
                   const WordOptions& options, const std::function<void(std::size_t, std::size_t)>& progress);

/// Returns the words of the images identified by `identity`. Reads them from the cache if a valid file
/// exists. Else calls images(), makes the words, and stores them if the folder is writable. Thread-safe;
/// calls run one at a time.
WordMaps CachedWords(const std::string& folder, const std::string& name, const std::string& identity,
                     const WordOptions& options, const std::function<std::vector<EncodedImage>()>& images);

/// A cache file of words.
struct WordsFile {
  std::string path;
  bool valid = false;  ///< the file exists and its digest is correct
};
/// Returns the cache file of these images and options, and verifies it.
WordsFile FindWords(const std::string& folder, const std::string& identity, const WordOptions& options);

/// Sets the function that CachedWords() calls with (data set, images done, all images). Default: none.
/// Not thread-safe; call it before any words are made.
void SetWordsProgress(std::function<void(const std::string&, std::size_t, std::size_t)> callback);

}  // namespace okbench
