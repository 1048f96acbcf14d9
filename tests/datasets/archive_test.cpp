#include "datasets/archive.h"

#include <catch2/catch.hpp>

#include "datasets/sha256.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using Catch::Contains;

TEST_CASE("sha256 of the standard test vectors") {
  CHECK(Sha256Hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(Sha256Hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("files are read compressed or not, and damage is told") {
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

TEST_CASE("a small file does not unpack to all of memory") {
  const testing::TemporaryFolder folder;
  const std::string bomb = folder.File("bomb.gz"), large = folder.File("large.gz");
  // Zeros go into a thousandth; 70 MB of them are too many, 60 MB are not.
  const auto pack = [](int mebi, const std::string& to) {
    return std::system(("head -c " + std::to_string(mebi) + "M /dev/zero | gzip > " + to).c_str());
  };
  REQUIRE(pack(70, bomb) == 0);
  REQUIRE(pack(60, large) == 0);
  CHECK_THROWS_WITH(ReadContent(bomb), Contains("bomb.gz") && Contains("more than 200 times its size"));
  CHECK(ReadContent(large).size() == std::size_t{60} << 20);
}

}  // namespace
}  // namespace okbench
