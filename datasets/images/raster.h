#pragma once
// Raster: the pixels of an image, and how they are read, made grey and scaled down. The same bits everywhere:
// all arithmetic is in integers.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace okbench {

/// Pixels row by row, channels side by side: 1 (grey) or 3 (red, green, blue).
struct Raster {
  int width = 0, height = 0, channels = 1;
  std::vector<std::uint8_t> pixels;
  const std::uint8_t* at(int x, int y) const {
    return pixels.data() +
           (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) *
               static_cast<std::size_t>(channels);
  }
};

/// Images of more pixels than this are refused before any is decoded.
inline constexpr std::int64_t kMostPixels = std::int64_t{16} << 20;

/// A JPEG, PNG, or binary PGM or PPM image; which of them its first bytes tell. Throws DataError naming
/// `name`: another format, truncated or damaged, more than kMostPixels pixels, colours other than grey and
/// RGB
/// (a JPEG's YCbCr is RGB; CMYK is refused).
Raster DecodeImage(const std::string& name, std::string_view bytes);

/// Width and height from the image's header, as DecodeImage would give them; the same errors but for damage
/// further on.
Raster DecodeHeader(const std::string& name, std::string_view bytes);

/// Binary PGM or PPM, which DecodeImage reads back.
std::string EncodeNetpbm(const Raster& image);

}  // namespace okbench
