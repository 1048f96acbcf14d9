#pragma once
// Archives made in tests, in memory.

#include <archive.h>
#include <archive_entry.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/catch.h"

namespace okbench::testing {

/// Paths and contents.
using PackedFiles = std::vector<std::pair<std::string, std::string>>;

/// A tar or zip archive of these files. Zip entries are deflated.
inline std::string Pack(const PackedFiles& files, bool zip = false) {
  std::size_t most = 1 << 16, used = 0;
  for (const auto& [path, content] : files) most += content.size() + 4096;
  std::string bytes(most, '\0');
  archive* writer = archive_write_new();
  if (zip)
    archive_write_set_format_zip(writer);
  else
    archive_write_set_format_ustar(writer);
  REQUIRE(archive_write_open_memory(writer, bytes.data(), bytes.size(), &used) == ARCHIVE_OK);
  for (const auto& [path, content] : files) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, path.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    REQUIRE(archive_write_header(writer, entry) == ARCHIVE_OK);
    REQUIRE(archive_write_data(writer, content.data(), content.size()) ==
            static_cast<la_ssize_t>(content.size()));
    archive_entry_free(entry);
  }
  REQUIRE(archive_write_close(writer) == ARCHIVE_OK);
  archive_write_free(writer);
  bytes.resize(used);
  return bytes;
}

}  // namespace okbench::testing
