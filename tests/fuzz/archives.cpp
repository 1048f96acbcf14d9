#include <zlib.h>

#include "datasets/files/archive.h"
#include "tests/fuzz/harness.h"
#include "tests/helpers.h"

namespace okbench::fuzz {
namespace {

// Magic bytes of the compressed formats that libarchive detects. It returns all other content unchanged.
bool IsPacked(std::string_view bytes) {
  using namespace std::string_view_literals;
  for (const std::string_view start :
       {"\x1f\x8b"sv, "BZh"sv, "\xfd\x37zXZ"sv, "\x5d\0\0"sv, "\x28\xb5\x2f\xfd"sv, "\x1f\x9d"sv, "LRZI"sv})
    if (bytes.starts_with(start)) return true;
  return false;
}

void ReadAnyArchive(std::string_view bytes) {
  static const testing::TemporaryFolder folder;
  Documented([&] { ForEachFile("a.tar", bytes, [](std::string_view, std::string_view) {}); });
  // Runs in a subprocess, which restarts after each error.
  if (IsPacked(bytes)) Documented([&] { ReadContent(folder.Write("a.gz", std::string(bytes))); });
}

std::string Gzipped(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // NOLINT: zlib reads it
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string Little(std::uint32_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i, value >>= 8) text += static_cast<char>(value & 0xff);
  return text;
}

// A zip archive of one stored file, with sizes and checksum in all three places.
std::string ZipOf(const std::string& path, const std::string& content) {
  const auto sum = static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
  const auto size = static_cast<std::uint32_t>(content.size());
  const auto length = static_cast<std::uint32_t>(path.size());
  const std::string what = Little(20, 2) + Little(0, 2) + Little(0, 2) + Little(0, 4) + Little(sum, 4) +
                           Little(size, 4) + Little(size, 4) + Little(length, 2) + Little(0, 2);
  const std::string local = "PK\3\4" + what + path + content;
  const std::string central = "PK\1\2" + Little(20, 2) + what + Little(0, 2) + Little(0, 2) + Little(0, 2) +
                              Little(0, 4) + Little(0, 4) + path;
  return local + central + "PK\5\6" + Little(0, 4) + Little(1, 2) + Little(1, 2) +
         Little(static_cast<std::uint32_t>(central.size()), 4) +
         Little(static_cast<std::uint32_t>(local.size()), 4) + Little(0, 2);
}

std::vector<std::string> SomeArchives() {
  const std::string tar = TarOf("== a/b\nsome text\n== ../c\nother text\n== d\n");
  // A pax header stores path names of any length, also above 100 characters.
  const std::string pax = TarOf("== PaxHeaders/e\n19 path=a\nb/../e.txt\n== e\ntext\n");
  return {tar,
          pax,
          Gzipped("some text\n"),
          Gzipped(tar),
          Gzipped(Gzipped("text")),
          ZipOf("a/b.txt", "some text\n")};
}

}  // namespace

Harness Archives() {
  return {
      "archives", ReadAnyArchive, SomeArchives, {"ustar", "PK\1\2", "PK\3\4", "PK\5\6", "\x1f\x8b", "BZh9"}};
}

}  // namespace okbench::fuzz
