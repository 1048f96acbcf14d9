#pragma once
// Images made in tests: drawn, and encoded as PNG and JPEG.

#include <png.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
// Must follow <cstdio>, which it needs but does not include.
#include <jpeglib.h>

#include "boxes/images/raster.h"

namespace okbench::testing {

/// A pattern of integers: edges of all orientations, flat parts, and colours.
inline Raster DrawnPattern(int width, int height, int channels) {
  Raster raster{.width = width, .height = height, .channels = channels, .pixels = {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c) {
        const int waves = (x * x + 3 * y * y + 17 * c * x) / 16 + x * y / (3 + c);
        const bool flat = (x / 12 + y / 10) % 5 == 0;
        raster.pixels.push_back(static_cast<std::uint8_t>(flat ? 40 + 30 * c : waves & 255));
      }
  return raster;
}

inline Raster Flat(int width, int height, std::vector<std::uint8_t> colour) {
  Raster raster{.width = width, .height = height, .channels = static_cast<int>(colour.size()), .pixels = {}};
  for (int i = 0; i < width * height; ++i)
    raster.pixels.insert(raster.pixels.end(), colour.begin(), colour.end());
  return raster;
}

/// `format`: pixel format of `pixels` in libpng's simplified interface.
inline std::string EncodePng(int width, int height, std::uint32_t format, const void* pixels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<std::uint32_t>(width);
  image.height = static_cast<std::uint32_t>(height);
  image.format = format;
  png_alloc_size_t size = 0;
  if (png_image_write_to_memory(&image, nullptr, &size, 0, pixels, 0, nullptr) == 0) std::abort();
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels, 0, nullptr) == 0) std::abort();
  bytes.resize(size);
  return bytes;
}

inline std::string EncodePng(const Raster& raster) {
  return EncodePng(raster.width, raster.height, raster.channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB,
                   raster.pixels.data());
}

/// `colours`: colour space of the interleaved channels in `pixels`.
inline std::string EncodeJpeg(int width, int height, int channels, J_COLOR_SPACE colours,
                              const std::vector<std::uint8_t>& pixels, bool progressive = false) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &memory, &size);
  info.image_width = static_cast<JDIMENSION>(width);
  info.image_height = static_cast<JDIMENSION>(height);
  info.input_components = channels;
  info.in_color_space = colours;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 95, TRUE);
  if (progressive) jpeg_simple_progression(&info);
  jpeg_start_compress(&info, TRUE);
  std::vector<std::uint8_t> copy = pixels;
  while (info.next_scanline < info.image_height) {
    JSAMPROW row = copy.data() +
                   static_cast<std::size_t>(info.next_scanline) * static_cast<std::size_t>(width * channels);
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  const std::string bytes(reinterpret_cast<const char*>(memory), size);
  jpeg_destroy_compress(&info);
  std::free(memory);
  return bytes;
}

inline std::string EncodeJpeg(const Raster& raster, bool progressive = false) {
  return EncodeJpeg(raster.width, raster.height, raster.channels,
                    raster.channels == 1 ? JCS_GRAYSCALE : JCS_RGB, raster.pixels, progressive);
}

}  // namespace okbench::testing
