#pragma once
// Reading a whole data file, compressed (gzip, bzip2, xz, lzma, zstd, compress) or not, and the files of an
// archive, with libarchive.

#include <functional>
#include <string>
#include <string_view>

namespace okbench {

/// The decompressed content. Throws DataError when the file cannot be opened, is truncated or damaged, or
/// unpacks to more than 64 MiB and 200 times its size.
std::string ReadContent(const std::string& path);

/// Calls visit(path, content) for each regular file of an archive (tar or zip, its bytes not compressed), in
/// its order; links and all else are passed over. A path is as it stands there, and may be any text: nothing
/// is unpacked to where it leads. Throws DataError naming `name` when it is none, is truncated or damaged, or
/// its files unpack to more than that together.
void ForEachFile(const std::string& name, std::string_view bytes,
                 const std::function<void(std::string_view path, std::string_view content)>& visit);

}  // namespace okbench
