#include <charconv>
#include <map>

#include "base/error.h"
#include "boxes/images/image_source.h"

namespace okbench {
namespace {

std::vector<std::string_view> CommaFields(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t comma = line.find(','); comma != std::string_view::npos; comma = line.find(',')) {
    fields.push_back(line.substr(0, comma));
    line.remove_prefix(comma + 1);
  }
  fields.push_back(line);
  return fields;
}

int PixelField(const std::string& file, std::size_t number, std::string_view field) {
  int value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size() || field.empty())
    throw DataError(file, number, 0, "'" + std::string(field.substr(0, 40)) + "' is not an integer");
  return value;
}

}  // namespace

std::vector<Annotated> ReadBoxTable(const std::string& file, std::string_view text) {
  constexpr std::string_view kHeader = "image,split,class,xmin,ymin,xmax,ymax,difficult";
  constexpr std::size_t kFields = 8;
  std::map<std::pair<std::string, std::string>, Annotated> images;
  std::size_t number = 0;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (++number == 1) {
      if (!line.starts_with(kHeader) || (line.size() > kHeader.size() && line[kHeader.size()] != ','))
        throw DataError(file, 1, 0, "the header must begin with " + std::string(kHeader));
      continue;
    }
    if (line.empty()) continue;
    const std::vector<std::string_view> fields = CommaFields(line);
    if (fields.size() < kFields)
      throw DataError(file, number, 0,
                      "has " + std::to_string(fields.size()) + " fields, expected at least 8");
    const auto pixel = [&](std::size_t f) { return PixelField(file, number, fields[f]); };
    const ImageObject object{{pixel(3), pixel(4), pixel(5), pixel(6)}, pixel(7) != 0};
    if (object.box.empty()) throw DataError(file, number, 0, "the box has no area");
    const std::string name(fields[0]), split(fields[1]);
    Annotated& image = images[{name, split}];
    image.name = name;
    image.split = split;
    image.objects.push_back({std::string(fields[2]), object});
  }
  if (images.empty()) throw DataError(file, 0, 0, "has no boxes");
  std::vector<Annotated> list;
  for (auto& [key, image] : images) list.push_back(std::move(image));
  return list;
}

void RequireInside(const std::string& file, const Annotated& image, int width, int height) {
  for (const auto& [category, object] : image.objects) {
    const Box& box = object.box;
    if (box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height) continue;
    throw DataError(file, 0, 0,
                    "a box of " + image.name + " exceeds the image of " + std::to_string(width) + " x " +
                        std::to_string(height) + " pixels");
  }
}

}  // namespace okbench
