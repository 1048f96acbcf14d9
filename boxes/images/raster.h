#pragma once
// Raster: the pixels of an image, with its decoder and encoder. The bits are the same on every machine.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace okbench {

/// Pixels in row-major order with interleaved channels: 1 (grey) or 3 (red, green, blue).
struct Raster {
  int width = 0, height = 0, channels = 1;
  std::vector<std::uint8_t> pixels;
  const std::uint8_t* at(int x, int y) const {
    return pixels.data() +
           (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) *
               static_cast<std::size_t>(channels);
  }
};

/// Maximum number of pixels. Larger images are rejected before decoding.
inline constexpr std::int64_t kMaxPixels = std::int64_t{16} << 20;

/// Decodes a JPEG, PNG, or binary PGM or PPM image; the first bytes determine the format. Converts YCbCr to
/// RGB.
/// Throws DataError with `name` for another format, damaged or truncated data, more than kMaxPixels pixels,
/// or colours other than grey and RGB, such as CMYK.
Raster DecodeImage(const std::string& name, std::string_view bytes);

/// Returns width, height and channels from the header, without pixels. Throws like DecodeImage(), except for
/// damage after the header.
Raster DecodeHeader(const std::string& name, std::string_view bytes);

/// Encodes an image as binary PGM (grey) or PPM (RGB).
std::string EncodeNetpbm(const Raster& image);

}  // namespace okbench
