#pragma once
// Reading a whole data file, compressed (gzip, bzip2, xz, ...) or not, with libarchive.

#include <string>

namespace okbench {

/// The decompressed content. Throws DataError when the file cannot be opened, or is truncated or damaged.
std::string ReadContent(const std::string& path);

}  // namespace okbench
