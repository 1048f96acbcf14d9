#include "datasets/archive.h"

#include <archive.h>
#include <archive_entry.h>

#include <filesystem>
#include <memory>

#include "datasets/error.h"

namespace okbench {

std::string ReadContent(const std::string& path) {
  if (!std::filesystem::exists(path)) throw DataError(path, 0, 0, "no such file");
  if (std::filesystem::is_regular_file(path) && std::filesystem::file_size(path) == 0)
    throw DataError(path, 0, 0, "the file is empty");
  const std::unique_ptr<archive, int (*)(archive*)> reader(archive_read_new(), archive_read_free);
  archive_read_support_filter_all(reader.get());
  archive_read_support_format_raw(reader.get());
  const auto fail = [&] {
    const char* text = archive_error_string(reader.get());
    throw DataError(
        path, 0, 0,
        std::string("cannot be read: ") + (text ? text : "unknown cause") + " (truncated or damaged?)");
  };
  if (archive_read_open_filename(reader.get(), path.c_str(), 1 << 16) != ARCHIVE_OK) fail();
  archive_entry* entry = nullptr;
  if (archive_read_next_header(reader.get(), &entry) != ARCHIVE_OK) fail();
  std::string content;
  std::string chunk(1 << 20, '\0');
  for (;;) {
    const la_ssize_t count = archive_read_data(reader.get(), chunk.data(), chunk.size());
    if (count < 0) fail();
    if (count == 0) return content;
    content.append(chunk, 0, static_cast<std::size_t>(count));
  }
}

}  // namespace okbench
