// Validation of names read from files.

#include "base/names.h"

#include "datasets/catalog/catalog.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

TEST_CASE("names with path components outside their folder are rejected") {
  for (const char* good : {"a", "usps/usps.bz2", "a.b/..c", "x y"}) CHECK(IsInnerName(good));
  for (const char* bad :
       {"", "/etc/passwd", "../a", "a/../../b", "a/..", "./a", "a//b", "a/", "a\nb", "a\x7f"})
    CHECK(!IsInnerName(bad));
  CHECK(!IsInnerName(std::string("a\0b", 3)));
  CHECK(IsInnerName(std::string(255, 'a') + "/" + std::string(255, 'b')));
  CHECK(!IsInnerName("a/" + std::string(256, 'b')));
  CHECK(!IsInnerName(std::string(1025, 'a')));
}

TEST_CASE("a catalog cannot name a file outside the cache folder") {
  const testing::TemporaryFolder folder;
  for (const char* name : {"../../precious.txt", "/etc/passwd", "a\\nb"}) {
    Catalog catalog;
    const std::string path =
        folder.Write("catalog.toml",
                     std::string("[mine]\ntitle = \"t\"\nformat = \"csv\"\nfeatures = 1\nrange = [0.0, 1.0]\n"
                                 "labels = [\"0\", \"1\"]\nkind = \"binary\"\nterms = \"\"\n"
                                 "synthetic = { generator = \"clusters\" }\n[mine.train]\nrows = 1\n"
                                 "files = [{ name = \"") +
                         name + "\", sha256 = \"\" }]\n");
    CHECK_THROWS_WITH(catalog.Read(path), Catch::Contains("relative path"));
  }
}

TEST_CASE("OneLine drops control characters, so that a message fits on one line") {
  CHECK(OneLine("plain, with blanks") == "plain, with blanks");
  CHECK(OneLine("two\n\t lines\r\n") == "two  lines");
  CHECK(OneLine("\n\x01\x7f") == "");
  CHECK(OneLine("gr\xc3\xbc\xc3\x9f") == "gr\xc3\xbc\xc3\x9f");  // UTF-8 is kept
}

TEST_CASE("invalid sizes in a catalog are rejected when it is read") {
  const testing::TemporaryFolder folder;
  const auto read = [&](const std::string& features, const std::string& labels, const std::string& rows,
                        const std::string& more = "") {
    Catalog catalog;
    catalog.Read(folder.Write("c.toml", "[mine]\ntitle = \"t\"\nformat = \"csv\"\nfeatures = " + features +
                                            "\nrange = [0.0, 1.0]\nlabels = " + labels +
                                            "\nkind = \"binary\"\nterms = \"\"\n"
                                            "synthetic = { generator = \"clusters\"" +
                                            more + " }\n[mine.train]\nrows = " + rows +
                                            "\nfiles = [{ name = \"a\", sha256 = \"\" }]\n"));
  };
  const std::string two = "[\"0\", \"1\"]";
  CHECK_NOTHROW(read("3", two, "10"));
  for (const char* rows : {"0", "-1", "1000000000000000", "4611686018427387905"})
    CHECK_THROWS_WITH(
        read("3", two, rows),
        Catch::Contains("c.toml:11") && Catch::Contains("mine.train.rows: must be from 1 to 1000000000"));
  for (const char* features : {"0", "-3", "4611686018427387905"})
    CHECK_THROWS_WITH(read(features, two, "10"), Catch::Contains("mine.features: must be from 1"));
  CHECK_THROWS_WITH(read("3", "[\"a\", \"a\"]", "10"), Catch::Contains("lists a label twice"));
  CHECK_THROWS_WITH(read("3", two, "10", ", levels = -2"), Catch::Contains("levels: must be from 0"));
}

}  // namespace
}  // namespace okbench
