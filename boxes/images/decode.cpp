#include <png.h>

#include <charconv>
#include <csetjmp>
#include <cstdio>
#include <cstring>
// After cstdio: jpeglib.h needs it but does not include it.
#include <jpeglib.h>

#include <utility>

#include "base/error.h"
#include "boxes/images/raster.h"

namespace okbench {
namespace {

[[noreturn]] void Refuse(const std::string& name, const std::string& cause) {
  throw DataError(name, 0, 0, cause);
}

Raster Sized(const std::string& name, std::uint64_t width, std::uint64_t height, int channels) {
  constexpr auto kMax = static_cast<std::uint64_t>(kMaxPixels);
  if (width == 0 || height == 0) Refuse(name, "image has no pixels");
  if (width > kMax || height > kMax || width * height > kMax)
    Refuse(name, "image has " + std::to_string(width) + " x " + std::to_string(height) +
                     " pixels; the maximum is 2^24 pixels");
  return {static_cast<int>(width), static_cast<int>(height), channels, {}};
}

void Allocate(Raster& raster) {
  raster.pixels.resize(static_cast<std::size_t>(raster.width) * static_cast<std::size_t>(raster.height) *
                       static_cast<std::size_t>(raster.channels));
}

// libjpeg reports errors by longjmp. No object with a destructor may be alive between setjmp() and longjmp().
struct JpegErrors {
  jpeg_error_mgr manager;
  std::jmp_buf jump;
  char message[JMSG_LENGTH_MAX];
};

void LeaveJpeg(j_common_ptr info) {
  auto* errors = reinterpret_cast<JpegErrors*>(info->err);
  info->err->format_message(info, errors->message);
  std::longjmp(errors->jump, 1);
}

// Treats warnings as errors: libjpeg warns about damaged or truncated files and would invent the missing
// pixels.
void WarnJpeg(j_common_ptr info, int level) {
  if (level < 0) LeaveJpeg(info);
}

enum class JpegEnd { kDone, kFailed, kColours };

// Reads the header, calls sized(context, info), then reads the pixels into `into` if `pixels` is true. Uses
// no objects with destructors: see JpegErrors.
JpegEnd RunJpeg(std::string_view bytes, JpegErrors& errors, jpeg_decompress_struct& info, Raster* into,
                bool pixels, bool (*sized)(void*, const jpeg_decompress_struct&), void* context) {
  info.err = jpeg_std_error(&errors.manager);
  errors.manager.error_exit = LeaveJpeg;
  errors.manager.emit_message = WarnJpeg;
  if (setjmp(errors.jump) != 0)
    return JpegEnd::kFailed;  // NOLINT(modernize-avoid-setjmp-longjmp,cert-err52-cpp)
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  jpeg_read_header(&info, TRUE);
  if (info.jpeg_color_space != JCS_GRAYSCALE && info.jpeg_color_space != JCS_YCbCr &&
      info.jpeg_color_space != JCS_RGB)
    return JpegEnd::kColours;
  info.out_color_space = info.jpeg_color_space == JCS_GRAYSCALE ? JCS_GRAYSCALE : JCS_RGB;
  info.dct_method = JDCT_ISLOW;  // the same bits with and without vector instructions
  if (!sized(context, info) || !pixels) return JpegEnd::kDone;
  jpeg_start_decompress(&info);
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = into->pixels.data() + static_cast<std::size_t>(info.output_scanline) *
                                             static_cast<std::size_t>(into->width * into->channels);
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  return JpegEnd::kDone;
}

Raster DecodeJpeg(const std::string& name, std::string_view bytes, bool pixels) {
  struct Context {
    const std::string& name;
    bool pixels;
    Raster raster{};
    std::string refused{};
  } context{.name = name, .pixels = pixels};
  // Must not throw through libjpeg: stores the error, which is thrown after libjpeg returns.
  const auto sized = [](void* place, const jpeg_decompress_struct& info) {
    auto& to = *static_cast<Context*>(place);
    try {
      to.raster =
          Sized(to.name, info.image_width, info.image_height, info.out_color_space == JCS_GRAYSCALE ? 1 : 3);
      if (to.pixels) Allocate(to.raster);
    } catch (const std::exception& error) {
      to.refused = error.what();
      return false;
    }
    return true;
  };
  JpegErrors errors{};
  jpeg_decompress_struct info{};
  const JpegEnd end = RunJpeg(bytes, errors, info, &context.raster, pixels, sized, &context);
  jpeg_destroy_decompress(&info);
  if (end == JpegEnd::kFailed) Refuse(name, std::string("JPEG is damaged or truncated: ") + errors.message);
  if (end == JpegEnd::kColours) Refuse(name, "JPEG is neither grey nor RGB; convert it to RGB");
  if (!context.refused.empty()) throw DataError(context.refused);
  return std::move(context.raster);
}

Raster DecodePng(const std::string& name, std::string_view bytes, bool pixels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  const auto require = [&](int good) {
    if (good != 0 && (image.warning_or_error & PNG_IMAGE_ERROR) == 0) return;
    const std::string message = image.message;
    png_image_free(&image);
    Refuse(name, "PNG is damaged or truncated: " + message);
  };
  require(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()));
  const bool colour = (image.format & PNG_FORMAT_FLAG_COLOR) != 0;
  Raster raster;
  try {
    raster = Sized(name, image.width, image.height, colour ? 3 : 1);
    if (pixels) Allocate(raster);
  } catch (...) {
    png_image_free(&image);
    throw;
  }
  if (pixels) {
    image.format = colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    const png_color black{};
    require(png_image_finish_read(&image, &black, raster.pixels.data(), 0, nullptr));
  }
  png_image_free(&image);
  return raster;
}

// Binary PGM (P5) and PPM (P6): magic, width, height and maximum value as text with comments, one blank, the
// bytes.
Raster DecodeNetpbm(const std::string& name, std::string_view bytes, bool pixels) {
  std::size_t place = 2;
  const auto number = [&] {
    while (
        place < bytes.size() &&
        (std::string_view(" \t\r\n").find(bytes[place]) != std::string_view::npos || bytes[place] == '#')) {
      if (bytes[place] == '#') place = std::min(bytes.find('\n', place), bytes.size() - 1);
      ++place;
    }
    std::uint32_t value = 0;
    const auto end = std::from_chars(bytes.data() + place, bytes.data() + bytes.size(), value);
    if (end.ec != std::errc()) Refuse(name, "PGM or PPM is damaged or truncated: its header lacks a number");
    place = static_cast<std::size_t>(end.ptr - bytes.data());
    return value;
  };
  const std::uint32_t width = number(), height = number(), largest = number();
  if (largest != 255)
    Refuse(name, "PGM or PPM has maximum value " + std::to_string(largest) + ", expected 255");
  Raster raster = Sized(name, width, height, bytes[1] == '5' ? 1 : 3);
  if (place < bytes.size() && std::string_view(" \t\r\n").find(bytes[place]) == std::string_view::npos)
    Refuse(name, "PGM or PPM is damaged: no blank between header and pixels");
  ++place;
  if (!pixels) return raster;
  Allocate(raster);
  if (place > bytes.size() || bytes.size() - place < raster.pixels.size())
    Refuse(name, "PGM or PPM is truncated");
  std::memcpy(raster.pixels.data(), bytes.data() + place, raster.pixels.size());
  return raster;
}

Raster Decode(const std::string& name, std::string_view bytes, bool pixels) {
  if (bytes.starts_with("\xff\xd8\xff")) return DecodeJpeg(name, bytes, pixels);
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return DecodePng(name, bytes, pixels);
  if (bytes.starts_with("P5") || bytes.starts_with("P6")) return DecodeNetpbm(name, bytes, pixels);
  Refuse(name, "not a JPEG, PNG, or binary PGM or PPM image");
}

}  // namespace

std::string EncodeNetpbm(const Raster& image) {
  std::string bytes = (image.channels == 1 ? "P5\n" : "P6\n") + std::to_string(image.width) + " " +
                      std::to_string(image.height) + "\n255\n";
  bytes.append(image.pixels.begin(), image.pixels.end());
  return bytes;
}

Raster DecodeImage(const std::string& name, std::string_view bytes) { return Decode(name, bytes, true); }

Raster DecodeHeader(const std::string& name, std::string_view bytes) { return Decode(name, bytes, false); }

}  // namespace okbench
