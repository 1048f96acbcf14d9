#pragma once
// Reads data files and archives with libarchive. Data files may be uncompressed, or compressed with gzip,
// bzip2, xz, lzma, zstd or compress.

#include <functional>
#include <string>
#include <string_view>

namespace okbench {

/// Returns the decompressed content of the file at `path`. Throws DataError if the file is missing, empty,
/// truncated or damaged, or unpacks to more than max(64 MiB, 200 times its size).
std::string ReadContent(const std::string& path);

/// Calls visit(path, content) for each regular file of a tar or zip archive, in archive order. Skips links
/// and other entries. Writes nothing to disk, so `path` is untrusted text, exactly as stored in the archive.
/// REQUIRES: `bytes` is the archive itself, without outer compression.
/// Throws DataError with `name` if the archive is not a tar or zip file, is truncated or damaged, or if its
/// files together exceed the size limit of ReadContent().
void ForEachFile(const std::string& name, std::string_view bytes,
                 const std::function<void(std::string_view path, std::string_view content)>& visit);

}  // namespace okbench
