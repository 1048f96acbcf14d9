#include "boxes/images/load_images.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/error.h"
#include "base/sha256.h"
#include "boxes/images/scale.h"
#include "boxes/images/upstream.h"
#include "datasets/files/archive.h"
#include "datasets/rows/data_plan.h"
#include "learners/core/random.h"

namespace okbench {
namespace {

// The files of a data set, without duplicates.
struct SourceFiles {
  std::vector<FoundFile> files;
  bool stored = true;    // true: images.tar and a box table; false: the publisher's archives
  std::string identity;  // identifies the images for the cache of words
};

SourceFiles FindSource(const DataSet& set, const DataFolders& folders) {
  SourceFiles source;
  std::set<std::string> seen;
  for (const auto& [name, part] : set.parts)
    for (const DataFile& file : part.files) {
      const auto location = Locate(file, folders);
      if (!location)
        throw DataError(file.name, 0, 0, "not found in the cache, the data folder or the mirror");
      if (!seen.insert(location->path).second) continue;
      const bool first = !set.images->published && location->file.name == file.name;
      if (!source.files.empty() && source.stored != first)
        throw DataError(location->path, 0, 0,
                        "cannot be mixed with " + source.files.front().path + "; remove one of them");
      source.stored = first;
      source.files.push_back(*location);
    }
  for (const FoundFile& file : source.files) source.identity += Sha256OfFile(file.path) + " ";
  source.identity += set.images->split.by == "given" ? "given" : "all";
  if (!source.stored)
    source.identity +=
        set.images->categories + std::to_string(set.images->side) + " " + std::to_string(set.images->most);
  return source;
}

std::vector<SourceImage> ReadStored(const SourceFiles& source) {
  std::map<std::string, std::string> bytes;
  std::vector<Annotated> table;
  std::string table_name;
  for (const FoundFile& file : source.files) {
    const std::string content = ReadVerified(file);
    if (file.path.ends_with(".csv")) {
      table = ReadBoxTable(file.path, content);
      table_name = file.path;
    } else {
      ForEachFile(file.path, content,
                  [&](std::string_view name, std::string_view image) { bytes.emplace(name, image); });
    }
  }
  std::vector<SourceImage> images;
  for (Annotated& annotated : table) {
    const auto entry = bytes.find(annotated.name);
    if (entry == bytes.end())
      throw DataError(table_name, 0, 0, "image '" + annotated.name + "' is missing from the archive");
    const Raster size = DecodeHeader(entry->first, entry->second);
    RequireInside(table_name, annotated, size.width, size.height);
    images.push_back({std::move(annotated), {.name = entry->first, .bytes = entry->second}});
  }
  return images;
}

ImageLayout LayoutOf(const std::string& name) {
  return name == "voc2007"      ? ImageLayout::kVoc2007
         : name == "caltech101" ? ImageLayout::kCaltech101
                                : ImageLayout::kPascal1;
}

// Scales down an image and its boxes. Encodes the result without loss. Throws DataError for a box without
// area.
SourceImage Scaled(UpstreamImage image, int side, const std::string& source) {
  const Raster raster = DecodeImage(source + ": " + image.annotated.name, image.bytes);
  const Raster small = ScaleDown(raster, side);
  RequireInside(source, image.annotated, raster.width, raster.height);
  for (auto& [category, object] : image.annotated.objects) {
    object.box = ScaleBox(object.box, raster.width, raster.height, small.width, small.height);
    if (object.box.empty())
      throw DataError(source, 0, 0, "a box of " + image.annotated.name + " has no area after scaling");
  }
  const std::string name = image.annotated.name;
  return {std::move(image.annotated), {.name = name, .bytes = EncodeNetpbm(small)}};
}

std::vector<SourceImage> ReadPublished(const DataSet& set, const SourceFiles& source) {
  std::vector<std::string> contents;
  for (const FoundFile& file : source.files) contents.push_back(ReadVerified(file));
  std::vector<FileBytes> archives;
  for (std::size_t f = 0; f < contents.size(); ++f) archives.push_back({source.files[f].path, contents[f]});
  const ImagesSpec& spec = *set.images;
  ImageSelection wanted;
  for (std::size_t from = 0; from <= spec.categories.size();) {
    const std::size_t comma = std::min(spec.categories.find(',', from), spec.categories.size());
    wanted.categories.push_back(spec.categories.substr(from, comma - from));
    from = comma + 1;
  }
  std::vector<SourceImage> images;
  const bool given = spec.split.by == "given";
  for (const char* split : {"train", "test"}) {
    wanted.split = split;
    wanted.single = given && wanted.split == "train";
    wanted.most = wanted.split == "test" ? spec.most : 0;
    for (UpstreamImage& image : ReadUpstream(LayoutOf(spec.layout), archives, wanted))
      images.push_back(Scaled(std::move(image), spec.side, source.files.front().path));
    if (!given) break;
  }
  return images;
}

// Returns for each image whether it belongs to `part`. `images` are all images, sorted by number.
std::vector<bool> OfPart(const std::vector<const SourceImage*>& images, const ImageSplit& split,
                         const std::string& part) {
  std::vector<bool> trains(images.size());
  if (split.by == "given") {
    for (std::size_t i = 0; i < images.size(); ++i) trains[i] = images[i]->annotated.split == part;
    return trains;
  }
  if (split.by == "half") {
    for (std::size_t i = 0; i < images.size(); ++i) trains[i] = (i < images.size() / 2) != split.second;
  } else {
    std::map<std::uint64_t, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < images.size(); ++i)
      groups[NumberIn(images[i]->annotated.name) / static_cast<std::uint64_t>(split.group)].push_back(i);
    std::vector<std::uint64_t> order;
    for (const auto& [number, members] : groups) order.push_back(number);
    Random random(DeriveSeed({{"purpose", "split of images"}, {"seed", std::to_string(split.seed)}}));
    Shuffle(std::span(order), random);
    std::size_t taken = 0;
    for (const std::uint64_t number : order) {
      if (2 * taken >= images.size()) break;
      for (const std::size_t i : groups[number]) trains[i] = true;
      taken += groups[number].size();
    }
  }
  if (part == "test") trains.flip();
  return trains;
}

// Returns the images with an object of the category that is not difficult, sorted by number.
std::vector<const SourceImage*> Chosen(const ImagesSpec& spec, const std::string& from,
                                       const std::vector<SourceImage>& source) {
  std::vector<const SourceImage*> chosen;
  for (const SourceImage& image : source) {
    if (!from.empty() && image.annotated.split != from) continue;
    const auto easy = std::count_if(image.annotated.objects.begin(), image.annotated.objects.end(),
                                    [&](const Annotation& object) {
                                      return object.category == spec.category && !object.object.difficult;
                                    });
    if (spec.single ? easy == 1 : easy > 0) chosen.push_back(&image);
  }
  std::sort(chosen.begin(), chosen.end(), [](const SourceImage* a, const SourceImage* b) {
    const std::uint64_t x = NumberIn(a->annotated.name), y = NumberIn(b->annotated.name);
    return x != y ? x < y : a->annotated.name < b->annotated.name;
  });
  return chosen;
}

// Returns each image once. An image trains the vocabulary if it belongs to a training part.
std::vector<EncodedImage> ForVocabulary(const DataSet& set, const std::vector<SourceImage>& source) {
  std::map<std::string, EncodedImage> images;
  for (const SourceImage& source_image : source) {
    auto [place, added] = images.try_emplace(source_image.image.name, source_image.image);
    const bool trains = set.images->split.by != "given" || source_image.annotated.split == "train";
    place->second.trains = (!added && place->second.trains) || trains;
  }
  std::vector<EncodedImage> list;
  for (auto& [name, image] : images) list.push_back(std::move(image));
  return list;
}

}  // namespace

std::uint64_t NumberIn(const std::string& name) {
  std::uint64_t number = 0;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto first = std::find_if(name.begin(), name.end(), digit);
  for (auto c = first; c != name.end() && digit(*c); ++c)
    number = number * 10 + static_cast<std::uint64_t>(*c - '0');
  return number;
}

namespace {

WordsFile WordsOf(const DataSet& set, const DataFolders& folders) {
  return FindWords(folders.cache, FindSource(set, folders).identity, set.images->words);
}

WordImages ReadImages(const DataSet& set, const DataRequest& request, const DataFolders& folders) {
  const ImagesSpec& spec = *set.images;
  std::vector<SourceImage> source;
  WordMaps words;
  WordOptions options = spec.words;
  if (request.force_synthetic) {
    // Synthetic images need few words: use a tenth, learned from the first training images.
    constexpr std::size_t kFirst = 20;
    options.count = std::max<std::size_t>(options.count / 10, 10);
    const auto rows = [&](const std::string& part) {
      return request.rows > 0 ? request.rows : set.parts.at(part).rows;
    };
    std::vector<EncodedImage> images;
    for (SourceImage& image : DrawShapes(set, "train", kFirst)) images.push_back(std::move(image.image));
    for (const std::string& part : PartsOf(set, request))
      for (SourceImage& image : DrawShapes(set, part, rows(part))) {
        const bool drawn = part == "train" && NumberIn(image.image.name) < kFirst;
        if (!drawn) images.push_back(image.image);
        if (!drawn) images.back().trains = false;
        source.push_back(std::move(image));
      }
    words = MakeWords(set.name, images, options, nullptr);
  } else {
    const SourceFiles files = FindSource(set, folders);
    source = files.stored ? ReadStored(files) : ReadPublished(set, files);
    words = CachedWords(folders.cache, set.name, files.identity, options,
                        [&] { return ForVocabulary(set, source); });
  }
  // Synthetic images are drawn separately for each part.
  const ImageSplit split = request.force_synthetic ? ImageSplit{} : spec.split;
  const std::vector<const SourceImage*> chosen = Chosen(spec, split.from, source);
  std::vector<std::shared_ptr<const WordImage>> images;
  for (const std::string& part : PartsOf(set, request)) {
    const std::vector<bool> of_part = OfPart(chosen, split, part);
    const std::size_t before = images.size();
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (!of_part[i]) continue;
      auto image = std::make_shared<WordImage>(words.at(chosen[i]->image.name));
      image->number = NumberIn(image->name);
      for (const auto& [category, object] : chosen[i]->annotated.objects)
        if (category == spec.category) image->objects.push_back(object);
      images.push_back(std::move(image));
    }
    const std::size_t rows = images.size() - before;
    if (!request.force_synthetic && rows != set.parts.at(part).rows)
      throw DataError("data set '" + set.name + "': part " + part + " has " + std::to_string(rows) +
                      " images, expected " + std::to_string(set.parts.at(part).rows));
  }
  return {options.words(), std::move(images)};
}

}  // namespace

template <class T>
Examples<T> LoadImages(const DataSet& set, const DataRequest& request, const DataFolders& folders) {
  return ImageExamples<T>(ReadImages(set, request, folders));
}

WordsReport PrepareWords(const DataSet& set, const DataFolders& folders) {
  const bool existed = WordsOf(set, folders).valid;
  const WordImages images = ReadImages(set, {.name = set.name}, folders);
  const WordsFile file = WordsOf(set, folders);
  return {.words = images.words,
          .training_images = images.size(),
          .file = file.valid ? file.path : "",
          .is_new = !existed};
}

template Examples<float> LoadImages<float>(const DataSet&, const DataRequest&, const DataFolders&);
template Examples<double> LoadImages<double>(const DataSet&, const DataRequest&, const DataFolders&);

}  // namespace okbench
