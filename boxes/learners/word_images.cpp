#include "boxes/learners/word_images.h"

namespace okbench {
namespace {

void RequireValid(const WordImage& image, std::size_t words) {
  const auto fail = [&](const char* cause) { throw InvalidArgument("image " + image.name + " " + cause); };
  const auto count = static_cast<std::size_t>(image.planes) * static_cast<std::size_t>(image.rows) *
                     static_cast<std::size_t>(image.columns);
  if (image.points.size() != count) fail("has a number of words that differs from planes * rows * columns");
  bool any = false;
  for (const auto& [box, difficult] : image.objects) {
    if (box.empty() || box.left < 0 || box.top < 0 || box.right > image.width || box.bottom > image.height)
      fail("has a box that is empty or outside the image");
    any = any || !difficult;
  }
  if (!any) fail("has no object that is not difficult");
  for (const std::uint16_t word : image.points)
    if (word >= words) fail("has a word outside the vocabulary");
}

}  // namespace

WordImages::WordImages(std::size_t word_count, std::vector<std::shared_ptr<const WordImage>> list)
    : words(word_count), images(std::move(list)) {
  for (const auto& image : images) RequireValid(*image, words);
}

std::size_t WordImages::bytes() const {
  std::size_t sum = 0;
  for (const auto& image : images) sum += image->points.size() * sizeof(std::uint16_t);
  return sum;
}

void WordImages::Hash(const std::function<void(const void*, std::size_t)>& update) const {
  for (const auto& image : images) {
    update(image->name.data(), image->name.size());
    update(image->points.data(), image->points.size() * sizeof(std::uint16_t));
    for (const auto& [box, difficult] : image->objects) {
      const std::int32_t numbers[] = {box.left, box.top, box.right, box.bottom, difficult ? 1 : 0};
      update(numbers, sizeof(numbers));
    }
  }
}

std::shared_ptr<const StructuredInputs> WordImages::Subset(std::span<const std::uint32_t> rows) const {
  auto subset = std::make_shared<WordImages>();
  subset->words = words;
  for (const std::uint32_t row : rows) subset->images.push_back(images[row]);
  return subset;
}

}  // namespace okbench
