#pragma once
// The visual words of a set of images: descriptors, a vocabulary learned from some of them, and the words of
// all; kept in okbench's cache, since they take a while (docs/adding-a-dataset.md).

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/fields.h"
#include "datasets/images/descriptors.h"
#include "learners/boxes/word_images.h"

namespace okbench {

/// Which words. All of it identifies the data.
struct WordOptions {
  std::size_t count = 1000;  ///< of a vocabulary, 1 .. 20000
  bool colour = false;       ///< a second vocabulary, of the planes hue, saturation and value
  int step = 4;              ///< pixels between points
  int cell = 4;              ///< pixels a side of a descriptor's cell
  int cells = 4;             ///< of a descriptor, a side

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
  bool trains = true;  ///< its descriptors may be in the vocabulary's sample
};

/// Words by the name of their image; objects are left empty.
using WordMaps = std::map<std::string, WordImage>;

/// Descriptors of some training images (up to 200, 100 a word, drawn by a fixed seed and the images' names)
/// make the vocabularies by 10 rounds of k-means; each image's points get the nearest words. `progress` hears
/// of images done and of all. Throws DataError: an image that cannot be read, or is smaller than a patch.
WordMaps MakeWords(const std::string& name, const std::vector<EncodedImage>& images,
                   const WordOptions& options, const std::function<void(std::size_t, std::size_t)>& progress);

/// The words of images that `identity` tells, from the cache folder's file of this identity where it is
/// whole, else made of what `images` gives and stored, unless the folder cannot be written. Several threads
/// wait for one that makes them.
WordMaps CachedWords(const std::string& folder, const std::string& name, const std::string& identity,
                     const WordOptions& options, const std::function<std::vector<EncodedImage>()>& images);

/// The cache's file, and whether there is a whole one.
struct WordsFile {
  std::string path;
  bool whole = false;
};
WordsFile FindWords(const std::string& folder, const std::string& identity, const WordOptions& options);

/// Who hears of words that are made: their images' set, images done, all. Set once, before any are; by
/// default nobody.
void SetWordsProgress(std::function<void(const std::string&, std::size_t, std::size_t)> hear);

}  // namespace okbench
