#include "boxes/images/words.h"

#include <mutex>
#include <numeric>
#include <optional>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "base/sha256.h"
#include "boxes/images/vocabulary.h"
#include "datasets/files/kept_file.h"
#include "learners/core/random.h"

namespace okbench {
namespace {

constexpr std::string_view kFirstLine = "okbench words 1\n";
constexpr std::size_t kSampleImages = 200;
constexpr std::size_t kSampleOfWord = 100;
constexpr int kRounds = 10;

std::function<void(const std::string&, std::size_t, std::size_t)>& Hearer() {
  static std::function<void(const std::string&, std::size_t, std::size_t)> hearer;
  return hearer;
}

// Returns the planes of a vocabulary: grey for 0; hue, saturation and value for 1.
std::vector<Plane> PlanesOf(const Raster& raster, std::size_t vocabulary) {
  return vocabulary == 0 ? std::vector<Plane>{GreyPlane(raster)} : HsvPlanes(raster);
}

// Decodes an image. Throws DataError if it is smaller than a patch.
Raster DecodeForWords(const std::string& name, const EncodedImage& image, const PatchOptions& patch) {
  Raster raster = DecodeImage(name + ": " + image.name, image.bytes);
  if (PointsAlong(raster.width, patch) == 0 || PointsAlong(raster.height, patch) == 0)
    throw DataError(name + ": " + image.name, 0, 0,
                    "is smaller than a descriptor's patch of " + std::to_string(patch.side()) + " pixels");
  return raster;
}

// Returns a random sample of descriptors of training images, in random order.
std::vector<std::uint8_t> SampleDescriptors(const std::string& name, const std::vector<EncodedImage>& images,
                                            const WordOptions& options, std::size_t vocabulary) {
  const PatchOptions patch = options.patch();
  const auto length = static_cast<std::size_t>(patch.length());
  Random random(DeriveSeed({{"purpose", "vocabulary"}, {"number", std::to_string(vocabulary)}}));
  std::vector<std::uint32_t> order;
  for (std::size_t i = 0; i < images.size(); ++i)
    if (images[i].trains) order.push_back(static_cast<std::uint32_t>(i));
  const std::size_t taken = std::min(kSampleImages, order.size());
  DrawToFront(std::span(order), taken, random);
  std::vector<std::uint8_t> sample;
  for (std::size_t i = 0; i < taken; ++i) {
    const Raster raster = DecodeForWords(name, images[order[i]], patch);
    const std::vector<Plane> planes = PlanesOf(raster, vocabulary);
    // Image i gets its share of the sample; the shares of all images sum to `all`.
    const std::size_t all = options.count * kSampleOfWord;
    const std::size_t share = all * (i + 1) / taken - all * i / taken;
    for (std::size_t p = 0; p < planes.size(); ++p) {
      const auto rows = DenseDescriptors(planes[p], raster.width, raster.height, patch);
      std::vector<std::uint32_t> points(rows.size() / length);
      std::iota(points.begin(), points.end(), 0U);
      const std::size_t wanted = share * (p + 1) / planes.size() - share * p / planes.size();
      const std::size_t drawn = std::min(wanted, points.size());
      DrawToFront(std::span(points), drawn, random);
      for (std::size_t d = 0; d < drawn; ++d) {
        const auto first = rows.begin() + static_cast<std::ptrdiff_t>(points[d] * length);
        sample.insert(sample.end(), first, first + static_cast<std::ptrdiff_t>(length));
      }
    }
  }
  // Shuffle, because the first rows become the initial centres.
  std::vector<std::uint32_t> shuffled(sample.size() / length);
  std::iota(shuffled.begin(), shuffled.end(), 0U);
  Shuffle(std::span(shuffled), random);
  std::vector<std::uint8_t> mixed;
  mixed.reserve(sample.size());
  for (const std::uint32_t row : shuffled) {
    const auto first = sample.begin() + static_cast<std::ptrdiff_t>(row * length);
    mixed.insert(mixed.end(), first, first + static_cast<std::ptrdiff_t>(length));
  }
  return mixed;
}

ByteBuffer Pack(const WordMaps& maps) {
  ByteBuffer packed;
  packed.Put(static_cast<std::uint32_t>(maps.size()));
  for (const auto& [name, image] : maps) {
    packed.Put(static_cast<std::uint32_t>(name.size()));
    packed.Put(name.data(), name.size());
    for (const int number :
         {image.width, image.height, image.first, image.step, image.columns, image.rows, image.planes})
      packed.Put(static_cast<std::uint32_t>(number));
    packed.Put(image.points.data(), image.points.size() * sizeof(std::uint16_t));
  }
  return packed;
}

// REQUIRES: the digest of `bytes` has been verified.
WordMaps Unpack(std::string bytes) {
  ByteBuffer packed(std::move(bytes));
  WordMaps maps;
  for (std::uint32_t left = packed.Take<std::uint32_t>(); left > 0; --left) {
    WordImage image;
    image.name.resize(std::min<std::size_t>(packed.Take<std::uint32_t>(), packed.left()));
    packed.Take(image.name.data(), image.name.size());
    for (int* number :
         {&image.width, &image.height, &image.first, &image.step, &image.columns, &image.rows, &image.planes})
      *number = static_cast<int>(packed.Take<std::uint32_t>());
    image.points.resize(static_cast<std::size_t>(image.columns) * static_cast<std::size_t>(image.rows) *
                        static_cast<std::size_t>(image.planes));
    packed.Take(image.points.data(), image.points.size() * sizeof(std::uint16_t));
    maps.emplace(image.name, std::move(image));
  }
  return maps;
}

std::string Key(const std::string& identity, const WordOptions& options) {
  std::ostringstream key;
  key << kWordsRevision << '|' << identity;
  VisitFields(options, [&](auto, const auto& value) { key << '|' << value; });
  return Sha256Hex(key.str());
}

std::string PathOf(const std::string& folder, const std::string& identity, const WordOptions& options) {
  return folder + "/words/" + Key(identity, options).substr(0, 32) + ".words";
}

}  // namespace

void SetWordsProgress(std::function<void(const std::string&, std::size_t, std::size_t)> callback) {
  Hearer() = std::move(callback);
}

WordMaps MakeWords(const std::string& name, const std::vector<EncodedImage>& images,
                   const WordOptions& options,
                   const std::function<void(std::size_t, std::size_t)>& progress) {
  const PatchOptions patch = options.patch();
  std::vector<VisualVocabulary> vocabularies;
  try {
    for (std::size_t v = 0; v < (options.colour ? 2U : 1U); ++v)
      vocabularies.emplace_back(SampleDescriptors(name, images, options, v),
                                static_cast<std::size_t>(patch.length()), options.count, kRounds);
  } catch (const InvalidArgument& error) {
    throw DataError(name, 0, 0, error.what());
  }
  WordMaps maps;
  for (std::size_t i = 0; i < images.size(); ++i) {
    const Raster raster = DecodeForWords(name, images[i], patch);
    WordImage image{.name = images[i].name,
                    .number = 0,
                    .width = raster.width,
                    .height = raster.height,
                    .first = FirstPoint(patch),
                    .step = patch.step,
                    .columns = PointsAlong(raster.width, patch),
                    .rows = PointsAlong(raster.height, patch),
                    .planes = 0,
                    .points = {},
                    .objects = {}};
    for (std::size_t v = 0; v < vocabularies.size(); ++v)
      for (const Plane& plane : PlanesOf(raster, v)) {
        const auto offset = static_cast<std::uint16_t>(v * options.count);
        for (const std::uint16_t word :
             vocabularies[v].Words(DenseDescriptors(plane, raster.width, raster.height, patch)))
          image.points.push_back(static_cast<std::uint16_t>(word + offset));
        ++image.planes;
      }
    maps.emplace(image.name, std::move(image));
    if (progress) progress(i + 1, images.size());
  }
  return maps;
}

WordsFile FindWords(const std::string& folder, const std::string& identity, const WordOptions& options) {
  const std::string path = PathOf(folder, identity, options);
  return {.path = path, .valid = ReadCacheFile(path, kFirstLine).has_value()};
}

WordMaps CachedWords(const std::string& folder, const std::string& name, const std::string& identity,
                     const WordOptions& options, const std::function<std::vector<EncodedImage>()>& images) {
  static std::mutex cache_mutex;
  const std::lock_guard lock(cache_mutex);
  const std::string path = PathOf(folder, identity, options);
  if (auto payload = ReadCacheFile(path, kFirstLine)) return Unpack(std::move(*payload));
  const auto callback = [&](std::size_t done, std::size_t all) {
    if (Hearer()) Hearer()(name, done, all);
  };
  WordMaps maps = MakeWords(name, images(), options, callback);
  WriteCacheFile(path, kFirstLine, Pack(maps).bytes());
  return maps;
}

}  // namespace okbench
