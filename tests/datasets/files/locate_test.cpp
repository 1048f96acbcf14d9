// Locate: a file without a digest in the catalog must be the one that the run was planned with.

#include "datasets/files/locate.h"

#include "base/error.h"
#include "base/sha256.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

TEST_CASE("a data file that changed after planning is refused") {
  const testing::TemporaryFolder folder;
  folder.Write("mine.csv", "1,2\n");
  DataFolders folders{.cache = folder.path().string(), .mirror = ""};
  DataFile file{.name = "mine.csv", .urls = {}, .sha256 = {}};
  folders.planned["mine.csv"] = Sha256Hex("1,2\n");
  CHECK(ReadVerified(*Locate(file, folders)) == "1,2\n");
  folder.Write("mine.csv", "1,3\n");
  CHECK_THROWS_WITH(ReadVerified(*Locate(file, folders)),
                    Catch::Contains("changed since the run was planned"));
  // The catalog's digest has priority.
  file.sha256 = Sha256Hex("1,3\n");
  CHECK(ReadVerified(*Locate(file, folders)) == "1,3\n");
  file.sha256 = Sha256Hex("1,4\n");
  CHECK_THROWS_WITH(ReadVerified(*Locate(file, folders)), Catch::Contains("the catalog says"));
}

}  // namespace
}  // namespace okbench
