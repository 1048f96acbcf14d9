#include "datasets/files/archive.h"

#include <algorithm>

#include "base/error.h"
#include "base/sha256.h"
#include "tests/catch.h"
#include "tests/datasets/packed.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using Catch::Contains;

TEST_CASE("sha256 of the standard test vectors") {
  CHECK(Sha256Hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(Sha256Hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("files are read compressed or uncompressed, and damage is reported") {
  const testing::TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 3000; ++i) text += std::to_string(i * i) + "\n";
  const std::string plain = folder.Write("a.txt", text);
  CHECK(ReadContent(plain) == text);
  for (const std::string tool : {"gzip", "bzip2"}) {
    const std::string packed = folder.File("a." + tool);
    REQUIRE(std::system((tool + " -c " + plain + " > " + packed).c_str()) == 0);
    CHECK(ReadContent(packed) == text);
    std::filesystem::resize_file(packed, std::filesystem::file_size(packed) / 2);
    CHECK_THROWS_WITH(ReadContent(packed), Contains("truncated or damaged"));
  }
  CHECK_THROWS_WITH(ReadContent(folder.File("none")), Contains("no such file"));
  CHECK_THROWS_WITH(ReadContent(folder.Write("empty", "")), Contains("empty"));
}

TEST_CASE("decompression of a small file is limited in size") {
  const testing::TemporaryFolder folder;
  const std::string bomb = folder.File("bomb.gz"), large = folder.File("large.gz");
  // Zeros compress to a thousandth. 70 MB exceed the limit, 60 MB do not.
  const auto pack = [](int mebi, const std::string& to) {
    return std::system(("head -c " + std::to_string(mebi) + "M /dev/zero | gzip > " + to).c_str());
  };
  REQUIRE(pack(70, bomb) == 0);
  REQUIRE(pack(60, large) == 0);
  CHECK_THROWS_WITH(ReadContent(bomb), Contains("bomb.gz") && Contains("more than 200 times its size"));
  CHECK(ReadContent(large).size() == std::size_t{60} << 20);
}

// Number of files visited before the reader throws.
std::size_t FilesOf(const std::string& archive, std::string& refused) {
  std::size_t files = 0;
  try {
    ForEachFile("a.zip", archive, [&](std::string_view, std::string_view) { ++files; });
  } catch (const DataError& error) {
    refused = error.what();
  }
  return files;
}

TEST_CASE("the files of an archive share one size limit") {
  // 20 MiB of zeros compress to 20 KB.
  const auto zeros = [](std::size_t files) {
    testing::PackedFiles packed;
    for (std::size_t i = 0; i < files; ++i)
      packed.emplace_back("f" + std::to_string(i), std::string(std::size_t{20} << 20, '\0'));
    return testing::Pack(packed, true);
  };
  std::string refused;
  CHECK(FilesOf(zeros(3), refused) == 3);
  CHECK(refused.empty());
  CHECK(FilesOf(zeros(5), refused) == 3);
  CHECK_THAT(refused, Contains("a.zip") && Contains("more than 200 times its size"));
}

TEST_CASE("archive paths that lead elsewhere are kept as text, and links are skipped") {
  const testing::TemporaryFolder folder;
  folder.Write("in/a", "text");
  REQUIRE(std::system(("cd " + folder.File("in") +
                       " && ln -s /etc/passwd s && ln a h && tar cPf ../l.tar a s h "
                       "--transform 's,^a$,../../a,' 2> /dev/null")
                          .c_str()) == 0);
  std::vector<std::string> paths;
  ForEachFile("l.tar", ReadContent(folder.File("l.tar")),
              [&](std::string_view path, std::string_view content) {
                paths.emplace_back(path);
                CHECK((content == "text" || content.empty()));
              });
  CHECK(paths.front() == "../../a");
  CHECK(std::count(paths.begin(), paths.end(), "s") == 0);
  CHECK(!std::filesystem::exists(folder.path().parent_path().parent_path() / "a"));
}

TEST_CASE("files that only external programs can decompress are read unchanged") {
  const testing::TemporaryFolder folder;
  const std::string packed = "LRZI" + std::string(60, 'x');
  CHECK(ReadContent(folder.Write("a.lrz", packed)) == packed);
}

}  // namespace
}  // namespace okbench
