#include "datasets/files/archive.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <new>
#include <stdexcept>

#include "base/error.h"

namespace okbench {
namespace {

// A packed file may unpack to max(kFewBytes, kMaxRatio times its size) bytes. The limit applies to all files
// of an archive together.
constexpr std::size_t kMaxRatio = 200;
constexpr std::size_t kFewBytes = std::size_t{64} << 20;

std::size_t MostOf(std::size_t packed) { return std::max(kFewBytes, kMaxRatio * packed); }

// An error of libarchive; the message lacks the file name.
class ArchiveError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Owns a libarchive reader. Throws ArchiveError and std::bad_alloc.
class ArchiveReader {
 public:
  ArchiveReader() {
    if (!reader_) throw std::bad_alloc();
  }

  archive* get() const { return reader_.get(); }
  void Require(bool good) const {
    if (good) return;
    if (archive_errno(get()) == ENOMEM) throw std::bad_alloc();
    const char* text = archive_error_string(get());
    throw ArchiveError(std::string("cannot be read: ") + (text ? text : "unknown cause") +
                       " (truncated or damaged?)");
  }
  // Returns false at the end of the archive.
  bool Next(archive_entry** entry) const {
    const int status = archive_read_next_header(get(), entry);
    Require(status == ARCHIVE_OK || status == ARCHIVE_WARN || status == ARCHIVE_EOF);
    return status != ARCHIVE_EOF;
  }
  // Returns the content of the current entry. `size` is a hint; throws ArchiveError for more than `most`
  // bytes.
  std::string Content(std::size_t size, std::size_t most) {
    std::string content;
    content.reserve(size);
    for (;;) {
      const la_ssize_t count = archive_read_data(get(), chunk_.data(), chunk_.size());
      Require(count >= 0);
      if (count == 0) return content;
      if (static_cast<std::size_t>(count) > most - content.size())
        throw ArchiveError("unpacks to more than " + std::to_string(kMaxRatio) + " times its size; rejected");
      content.append(chunk_, 0, static_cast<std::size_t>(count));
    }
  }

 private:
  std::unique_ptr<archive, int (*)(archive*)> reader_{archive_read_new(), archive_read_free};
  std::string chunk_ = std::string(1 << 20, '\0');
};

// Enables only the filters built into libarchive. For other filters it would run external programs.
void AllowFilters(const ArchiveReader& reader) {
  for (const auto allow : {archive_read_support_filter_gzip, archive_read_support_filter_bzip2,
                           archive_read_support_filter_xz, archive_read_support_filter_lzma,
                           archive_read_support_filter_zstd, archive_read_support_filter_compress})
    reader.Require(allow(reader.get()) == ARCHIVE_OK);
}

std::string Extract(const std::string& path) {
  ArchiveReader reader;
  AllowFilters(reader);
  archive_read_support_format_raw(reader.get());
  reader.Require(archive_read_open_filename(reader.get(), path.c_str(), 1 << 16) == ARCHIVE_OK);
  archive_entry* entry = nullptr;
  reader.Require(archive_read_next_header(reader.get(), &entry) == ARCHIVE_OK);
  return reader.Content(0, MostOf(std::filesystem::file_size(path)));
}

}  // namespace

std::string ReadContent(const std::string& path) {
  if (!std::filesystem::exists(path)) throw DataError(path, 0, 0, "no such file");
  if (std::filesystem::is_regular_file(path) && std::filesystem::file_size(path) == 0)
    throw DataError(path, 0, 0, "the file is empty");
  try {
    return Extract(path);
  } catch (const ArchiveError& error) {
    throw DataError(path, 0, 0, error.what());
  }
}

void ForEachFile(const std::string& name, std::string_view bytes,
                 const std::function<void(std::string_view path, std::string_view content)>& visit) try {
  ArchiveReader reader;
  archive_read_support_format_tar(reader.get());
  archive_read_support_format_zip(reader.get());
  reader.Require(archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) == ARCHIVE_OK);
  archive_entry* entry = nullptr;
  std::size_t left = MostOf(bytes.size());
  while (reader.Next(&entry)) {
    if (archive_entry_filetype(entry) != AE_IFREG) continue;
    const char* path = archive_entry_pathname(entry);
    if (path == nullptr) throw DataError(name, 0, 0, "contains a file with an unreadable name");
    // The stated size is untrusted: reserve at most the size of the archive.
    const auto size = static_cast<std::size_t>(std::max<la_int64_t>(archive_entry_size(entry), 0));
    const std::string content = reader.Content(std::min(size, bytes.size()), left);
    left -= content.size();
    visit(path, content);
  }
} catch (const ArchiveError& error) {
  throw DataError(name, 0, 0, error.what());
}

}  // namespace okbench
