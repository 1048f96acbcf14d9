#pragma once
// The user block of an HDF5 file: 512 bytes that precede it and hold a digest of the rest. The digest is
// verified before HDF5 parses the bytes.

#include <string>
#include <string_view>

namespace okbench {

/// The image of an HDF5 file after its user block: `magic`, 64 hexadecimal digits of the image's SHA-256, a
/// newline, and zeros up to 512 bytes. `magic` ends in a newline.
std::string WithUserBlock(std::string_view magic, std::string_view image);

/// The image in the bytes made by WithUserBlock. Throws TraceError, without a path, if the magic or the
/// digest does not match.
std::string_view VerifiedImage(std::string_view magic, std::string_view bytes);

}  // namespace okbench
