// Image decoding: the three formats, damaged and truncated files, and rejected features.

#include <zlib.h>

#include <algorithm>

#include "base/error.h"
#include "boxes/images/raster.h"
#include "tests/boxes/images/encoded.h"
#include "tests/catch.h"

namespace okbench {
namespace {

using testing::DrawnPattern;
using testing::EncodeJpeg;
using testing::EncodePng;
using testing::Flat;

void CheckRaster(const Raster& raster, int width, int height, int channels) {
  CHECK((raster.width == width && raster.height == height && raster.channels == channels));
}

// The largest difference between bytes of two images.
int Farthest(const Raster& a, const Raster& b) {
  REQUIRE(a.pixels.size() == b.pixels.size());
  int most = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i)
    most = std::max(most, std::abs(int{a.pixels[i]} - int{b.pixels[i]}));
  return most;
}

TEST_CASE("PGM and PPM: decoding by hand, and a round trip") {
  const Raster grey = DecodeImage("a", "P5\n3 2\n255\n\x01\x02\x03\x04\x05\xff");
  CheckRaster(grey, 3, 2, 1);
  CHECK(grey.pixels == std::vector<std::uint8_t>{1, 2, 3, 4, 5, 255});
  CHECK(*grey.at(2, 1) == 255);
  const Raster colour = DecodeImage("a", "P6 # one\n# two\n 1\t2\r\n255\nabcdef, and what follows");
  CheckRaster(colour, 1, 2, 3);
  CHECK(colour.pixels == std::vector<std::uint8_t>{'a', 'b', 'c', 'd', 'e', 'f'});
  CHECK(colour.at(0, 1)[2] == 'f');
  // The first byte of the pixels may look like a blank or a comment.
  CHECK(DecodeImage("a", "P5 1 2 255\n\n#").pixels == std::vector<std::uint8_t>{'\n', '#'});
  for (const int channels : {1, 3}) {
    const Raster drawn = DrawnPattern(13, 9, channels);
    const Raster back = DecodeImage("a", EncodeNetpbm(drawn));
    CheckRaster(back, 13, 9, channels);
    CHECK(back.pixels == drawn.pixels);
  }
}

TEST_CASE("PGM and PPM: damaged files are rejected by name") {
  const std::string whole = EncodeNetpbm(DrawnPattern(5, 4, 3));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    INFO("length " << length);
    CHECK_THROWS_AS(DecodeImage("a", std::string_view(whole).substr(0, length)), DataError);
  }
  CHECK_THROWS_WITH(DecodeImage("cow.ppm", whole.substr(0, whole.size() - 1)),
                    "cow.ppm: PGM or PPM is truncated");
  CHECK_THROWS_WITH(DecodeImage("a", "P5 2 x"), Catch::Contains("its header lacks a number"));
  CHECK_THROWS_WITH(DecodeImage("a", "P5 -2 3 255\n123456"), Catch::Contains("lacks a number"));
  CHECK_THROWS_WITH(DecodeImage("a", "P5 # never ends"), Catch::Contains("lacks a number"));
  CHECK_THROWS_WITH(DecodeImage("a", "P5 2 1 65535\n1234"), Catch::Contains("maximum value 65535"));
  CHECK_THROWS_WITH(DecodeImage("a", "P5 0 3 255\n"), Catch::Contains("has no pixels"));
  CHECK_THROWS_WITH(DecodeImage("a", "P2 1 1 255\n7"),
                    Catch::Contains("not a JPEG, PNG, or binary PGM or PPM image"));
  CHECK_THROWS_WITH(DecodeImage("a", ""), Catch::Contains("not a JPEG"));
  CHECK_THROWS_WITH(DecodeImage("a", "GIF89a"), Catch::Contains("not a JPEG"));
}

TEST_CASE("PNG: grey, colour, transparency and 16 bits") {
  for (const int channels : {1, 3}) {
    const Raster drawn = DrawnPattern(31, 17, channels);
    const Raster back = DecodeImage("a", EncodePng(drawn));
    CheckRaster(back, 31, 17, channels);
    CHECK(back.pixels == drawn.pixels);
    const Raster header = DecodeHeader("a", EncodePng(drawn));
    CheckRaster(header, 31, 17, channels);
    CHECK(header.pixels.empty());
  }
  // Blended over black: an opaque and a transparent pixel.
  const std::uint8_t rgba[] = {10, 20, 30, 255, 200, 100, 50, 0};
  const Raster over = DecodeImage("a", EncodePng(2, 1, PNG_FORMAT_RGBA, rgba));
  CheckRaster(over, 2, 1, 3);
  CHECK(over.pixels == std::vector<std::uint8_t>{10, 20, 30, 0, 0, 0});
  // 16 bits, linear: black and white are kept.
  const std::uint16_t linear[] = {0, 65535};
  const Raster deep = DecodeImage("a", EncodePng(2, 1, PNG_FORMAT_LINEAR_Y, linear));
  CheckRaster(deep, 2, 1, 1);
  CHECK(deep.pixels == std::vector<std::uint8_t>{0, 255});
}

TEST_CASE("PNG: damaged and truncated files are rejected") {
  const Raster drawn = DrawnPattern(23, 11, 3);
  const std::string whole = EncodePng(drawn);
  constexpr std::size_t kEnd = 12;  // the last chunk, which only marks the end
  for (std::size_t length = 0; length < whole.size() - kEnd; ++length) {
    INFO("length " << length);
    CHECK_THROWS_AS(DecodeImage("a", std::string_view(whole).substr(0, length)), DataError);
  }
  CHECK_THROWS_WITH(DecodeImage("cow.png", whole.substr(0, 60)),
                    Catch::StartsWith("cow.png: PNG is damaged or truncated: "));
  // A flipped bit is refused, or changes nothing (names of chunks that need not be known, the last chunk).
  std::size_t refused = 0;
  for (std::size_t place = 8; place < whole.size(); ++place) {
    std::string damaged = whole;
    damaged[place] = static_cast<char>(damaged[place] ^ 0x10);
    Raster back;
    try {
      back = DecodeImage("a", damaged);
    } catch (const DataError&) {
      ++refused;
      continue;
    }
    CHECK(back.pixels == drawn.pixels);
  }
  CHECK(refused > whole.size() - 50);
}

TEST_CASE("JPEG: grey, colour and progressive files") {
  // Flat blocks have one coefficient, so the colour is exact except for the rounding of YCbCr.
  CHECK(DecodeImage("a", EncodeJpeg(Flat(20, 12, {77}))).pixels == Flat(20, 12, {77}).pixels);
  CHECK(Farthest(DecodeImage("a", EncodeJpeg(Flat(20, 12, {200, 40, 90}))), Flat(20, 12, {200, 40, 90})) <=
        3);
  for (const int channels : {1, 3})
    for (const bool progressive : {false, true}) {
      Raster smooth{.width = 33, .height = 18, .channels = channels, .pixels = {}};
      for (int y = 0; y < 18; ++y)
        for (int x = 0; x < 33; ++x)
          for (int c = 0; c < channels; ++c)
            smooth.pixels.push_back(static_cast<std::uint8_t>(20 + 3 * x + 4 * y + 10 * c));
      const std::string bytes = EncodeJpeg(smooth, progressive);
      const Raster back = DecodeImage("a", bytes);
      CheckRaster(back, 33, 18, channels);
      CHECK(Farthest(back, smooth) <= 8);
      CHECK(DecodeImage("a", bytes).pixels == back.pixels);
      const Raster header = DecodeHeader("a", bytes);
      CheckRaster(header, 33, 18, channels);
      CHECK(header.pixels.empty());
    }
}

TEST_CASE("JPEG: damaged and truncated files and other colour spaces are rejected") {
  const std::string whole = EncodeJpeg(DrawnPattern(40, 24, 3));
  for (std::size_t length = 0; length + 2 < whole.size(); ++length) {
    INFO("length " << length);
    CHECK_THROWS_AS(DecodeImage("a", std::string_view(whole).substr(0, length)), DataError);
  }
  CHECK_THROWS_WITH(DecodeImage("cow.jpg", whole.substr(0, whole.size() / 2)),
                    Catch::StartsWith("cow.jpg: JPEG is damaged or truncated: "));
  // Not every flipped bit can be detected, but none does harm.
  for (std::size_t place = 3; place < whole.size(); ++place) {
    std::string damaged = whole;
    damaged[place] = static_cast<char>(damaged[place] ^ (1 << place % 8));
    try {
      const Raster raster = DecodeImage("a", damaged);
      REQUIRE(raster.pixels.size() ==
              static_cast<std::size_t>(raster.width * raster.height * raster.channels));
    } catch (const DataError&) {
    }
  }
  const std::vector<std::uint8_t> inks(4 * 8 * 8, 100);
  const std::string cmyk = EncodeJpeg(8, 8, 4, JCS_CMYK, inks);
  CHECK_THROWS_WITH(DecodeImage("a", cmyk), Catch::Contains("neither grey nor RGB"));
  CHECK_THROWS_AS(DecodeHeader("a", cmyk), DataError);
  CHECK_THROWS_AS(DecodeImage("a", EncodeJpeg(8, 8, 4, JCS_YCCK, inks)), DataError);
  CHECK_THROWS_AS(DecodeImage("a", EncodeJpeg(8, 8, 2, JCS_UNKNOWN, inks)), DataError);
  // JPEG in RGB instead of YCbCr.
  CheckRaster(DecodeImage("a", EncodeJpeg(8, 8, 3, JCS_RGB, inks)), 8, 8, 3);
}

TEST_CASE("headers of more than 16 Mpixel are rejected before pixels are allocated") {
  const auto check = [](const std::string& bytes, const std::string& size) {
    CHECK_THROWS_WITH(DecodeImage("a", bytes), Catch::Contains("image has " + size + " pixels"));
    CHECK_THROWS_WITH(DecodeHeader("a", bytes), Catch::Contains("image has " + size + " pixels"));
  };
  check("P5 4097 4096 255\n", "4097 x 4096");
  check("P6 4294967295 4294967295 255\n", "4294967295 x 4294967295");
  check("P5 1 16777217 255\n", "1 x 16777217");
  CheckRaster(DecodeHeader("a", "P5 4096 4096 255\n"), 4096, 4096, 1);
  CHECK_THROWS_AS(DecodeImage("a", "P5 4096 4096 255\n"), DataError);  // truncated
  // A PNG whose first chunk declares 20000 x 20000 pixels.
  std::string png = EncodePng(DrawnPattern(8, 8, 3));
  const auto put = [](std::string& bytes, std::size_t place, std::uint32_t value) {
    for (int b = 0; b < 4; ++b)
      bytes[place + static_cast<std::size_t>(b)] = static_cast<char>(value >> (24 - 8 * b));
  };
  put(png, 16, 20000);
  put(png, 20, 20000);
  put(png, 29, static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(png.data()) + 12, 17)));
  check(png, "20000 x 20000");
  // A JPEG whose frame declares 60000 x 50000 pixels.
  std::string jpeg = EncodeJpeg(DrawnPattern(8, 8, 3));
  const std::size_t frame = jpeg.find("\xff\xc0");
  REQUIRE(frame != std::string::npos);
  put(jpeg, frame + 5, 50000U << 16 | 60000U);
  check(jpeg, "60000 x 50000");
}

}  // namespace
}  // namespace okbench
