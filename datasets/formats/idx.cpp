// IDX: a file of images (magic number 2051) and a file of labels (2049), with big-endian headers and one byte
// per pixel.

#include "base/error.h"
#include "datasets/formats/format.h"

namespace okbench::formats::idx {
namespace {

std::uint32_t BigEndian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

// Checks an IDX header: the magic number, then the sizes. Returns the number of items. Throws DataError.
std::size_t Items(const FileText& file, std::uint32_t magic, std::size_t dimensions, std::size_t item_bytes) {
  const std::string_view bytes = file.bytes;
  const std::size_t header = 4 + 4 * dimensions;
  if (bytes.size() < header || BigEndian(bytes, 0) != magic)
    throw DataError(file.name, 0, 0, "is not an IDX file with magic number " + std::to_string(magic));
  std::size_t per_item = 1;
  for (std::size_t d = 1; d < dimensions; ++d) per_item *= BigEndian(bytes, 4 + 4 * d);
  const std::size_t items = BigEndian(bytes, 4);
  if (per_item != item_bytes)
    throw DataError(
        file.name, 0, 0,
        "holds items of " + std::to_string(per_item) + " bytes, expected " + std::to_string(item_bytes));
  if (bytes.size() != header + items * per_item)
    throw DataError(file.name, 0, 0,
                    "holds " + std::to_string(bytes.size()) + " bytes, but its header declares " +
                        std::to_string(header + items * per_item));
  if (items == 0) throw DataError(file.name, 0, 0, "the data set is empty");
  return items;
}

template <class T>
RawRows<T> Read(const FormatInput& input) {
  const FileText &image_file = input.files[0], &label_file = input.files[1];
  const std::size_t features = input.features;
  const std::size_t count = Items(image_file, 2051, 3, features);
  if (Items(label_file, 2049, 1, 1) != count)
    throw DataError(label_file.name, 0, 0, "label count differs from image count of " + image_file.name);
  RawRows<T> rows;
  rows.features = features;
  rows.values.reserve(count * features);
  for (const char c : image_file.bytes.substr(16))
    rows.values.push_back(static_cast<T>(static_cast<unsigned char>(c)));
  for (std::size_t i = 0; i < count; ++i) {
    const int written = static_cast<unsigned char>(label_file.bytes[8 + i]);
    const auto label = input.labels.Find(std::to_string(written));
    if (!label)
      throw DataError(label_file.name, 0, 0,
                      "label " + std::to_string(written) + " of item " + std::to_string(i) +
                          " is out of range; allowed are " + input.labels.Allowed());
    rows.labels.push_back(*label);
  }
  return rows;
}

}  // namespace

Format Describe() {
  return {.name = "idx",
          .title = "IDX: images with one byte per pixel, labels in a second file",
          .files = 2,
          .needs = "an image and a label file",
          .real_targets = false,
          .shared_files = true,
          .read_float = Read<float>,
          .read_double = Read<double>};
}

}  // namespace okbench::formats::idx
