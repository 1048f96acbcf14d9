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

}  // namespace
}  // namespace okbench
