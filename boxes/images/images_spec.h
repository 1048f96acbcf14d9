#pragma once
// ImagesSpec: the catalog entry of a data set of images with annotated boxes.

#include <cstdint>
#include <string>

#include "base/fields.h"
#include "boxes/images/words.h"

namespace okbench {

/// How images are divided into training and test part.
struct ImageSplit {
  /// "given": the split of the source. "half": the first floor(n / 2) images by number train and the others
  /// test, or the reverse with `second`. "group": images with equal floor(number / group) form a group.
  /// Groups, in an order shuffled by `seed`, are added to the training part until it has at least half of
  /// the images.
  std::string by = "given";
  bool second = false;
  int group = 1;
  std::uint64_t seed = 0;
  std::string from{};  ///< split of the source that "half" and "group" divide; empty: all images
};

template <MaybeConst<ImageSplit> Object, class Visit>
void VisitFields(Object& split, const Visit& visit) {
  auto& [by, second, group, seed, from] = split;
  visit(identity::Always{"by"}, by);
  visit(identity::Always{"second"}, second);
  visit(identity::Always{"group"}, group);
  visit(identity::Always{"seed"}, seed);
  visit(identity::Always{"from"}, from);
}

/// Content, split and visual words of a data set of images.
struct ImagesSpec {
  std::string category;    ///< category of the objects to localise
  std::string categories;  ///< comma-separated categories of all data sets that share the publisher's archive
  WordOptions words;
  ImageSplit split;
  bool single = false;     ///< use only images with exactly one object that is not difficult
  std::string layout{};    ///< publisher's archives: "voc2007", "caltech101" or "pascal1"; empty: none
  int side = 0;            ///< longer side in pixels to which the publisher's images are scaled down
  bool published = false;  ///< the files are the publisher's archives; else copies with a table of the boxes
  std::uint64_t most = 0;  ///< maximum number of the publisher's test images per category; 0: all
};

template <MaybeConst<ImagesSpec> Object, class Visit>
void VisitFields(Object& images, const Visit& visit) {
  auto& [category, categories, words, split, single, layout, side, published, most] = images;
  visit(identity::Always{"category"}, category);
  visit(identity::Always{"categories"}, categories);
  visit(identity::Always{"words"}, words);
  visit(identity::Always{"split"}, split);
  visit(identity::Always{"single"}, single);
  visit(identity::Always{"layout"}, layout);
  visit(identity::Always{"side"}, side);
  visit(identity::Derived{"published"}, published);  // determined by the digests of the files
  visit(identity::Always{"most"}, most);
}

}  // namespace okbench
