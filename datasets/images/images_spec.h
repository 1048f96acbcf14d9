#pragma once
// What the catalogue says of a data set of images with boxes.

#include <cstdint>
#include <string>

#include "datasets/fields.h"
#include "datasets/images/words.h"

namespace okbench {

/// How images become training and test part.
struct ImageSplit {
  /// "given": as the source says; "half": training images are the first half by number (of an odd count the
  /// smaller one), or with `second` the rest; "group": numbers / `group` are shuffled by `seed`, and groups
  /// train until half of the images do.
  std::string by = "given";
  bool second = false;
  int group = 1;
  std::uint64_t seed = 0;
  std::string from{};  ///< not "given": the source's split that is divided
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

struct ImagesSpec {
  std::string category;  ///< of the objects that are looked for
  std::string
      categories;  ///< of all sets that share the archive, with commas: what upstream's reader is asked for
  WordOptions words;
  ImageSplit split;
  bool single = false;     ///< only images with one object that is not difficult
  std::string layout{};    ///< of upstream's archives: "voc2007", "caltech101" or "pascal1"; empty: none
  int side = 0;            ///< upstream's images are scaled down to this longer side
  std::uint64_t most = 0;  ///< of upstream's test images: the first ones
};

template <MaybeConst<ImagesSpec> Object, class Visit>
void VisitFields(Object& images, const Visit& visit) {
  auto& [category, categories, words, split, single, layout, side, most] = images;
  visit(identity::Always{"category"}, category);
  visit(identity::Always{"categories"}, categories);
  visit(identity::Always{"words"}, words);
  visit(identity::Always{"split"}, split);
  visit(identity::Always{"single"}, single);
  visit(identity::Always{"layout"}, layout);
  visit(identity::Always{"side"}, side);
  visit(identity::Always{"most"}, most);
}

}  // namespace okbench
