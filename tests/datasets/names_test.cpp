// Names that come from files.

#include "datasets/names.h"

#include <catch2/catch.hpp>

#include "datasets/catalog.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

TEST_CASE("names stay inside their folder") {
  for (const char* good : {"a", "usps/usps.bz2", "a.b/..c", "x y"}) CHECK(IsInnerName(good));
  for (const char* bad :
       {"", "/etc/passwd", "../a", "a/../../b", "a/..", "./a", "a//b", "a/", "a\nb", "a\x7f"})
    CHECK(!IsInnerName(bad));
  CHECK(!IsInnerName(std::string("a\0b", 3)));
}

TEST_CASE("a catalogue names no file outside the cache") {
  const testing::TemporaryFolder folder;
  for (const char* name : {"../../precious.txt", "/etc/passwd", "a\\nb"}) {
    Catalog catalog;
    const std::string path =
        folder.Write("catalog.toml",
                     std::string("[mine]\ntitle = \"t\"\nformat = \"csv\"\nfeatures = 1\nrange = [0.0, 1.0]\n"
                                 "labels = [\"0\", \"1\"]\nkind = \"binary\"\nterms = \"\"\n"
                                 "stand_in = { generator = \"clusters\" }\n[mine.train]\nrows = 1\n"
                                 "files = [{ name = \"") +
                         name + "\", sha256 = \"\" }]\n");
    CHECK_THROWS_WITH(catalog.Read(path), Catch::Contains("relative path"));
  }
}

}  // namespace
}  // namespace okbench
