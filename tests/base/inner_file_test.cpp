// File names read from files.

#include "base/inner_file.h"

#include <filesystem>

#include "base/error.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

TEST_CASE("inner file names cannot escape their folder through a link") {
  const testing::TemporaryFolder folder;
  folder.Write("inside/a.txt", "a");
  folder.Write("outside/b.txt", "b");
  std::filesystem::create_directory_symlink(folder.File("outside"), folder.File("inside/link"));
  CHECK(InnerFile(folder.File("inside"), "a.txt", "plan") == folder.File("inside/a.txt"));
  CHECK(InnerFile(folder.File("inside"), "new/c.txt", "plan") == folder.File("inside/new/c.txt"));
  CHECK_THROWS_WITH(InnerFile(folder.File("inside"), "link/b.txt", "plan"), Catch::Contains("symbolic link"));
  CHECK_NOTHROW(InnerFile(folder.File("inside"), std::string(240, 'x'), "plan"));
  CHECK_THROWS_WITH(InnerFile(folder.File("inside"), std::string(241, 'x'), "plan"),
                    Catch::EndsWith("is too long for a file name"));
  CHECK_THROWS_WITH(InnerFile(folder.File("inside"), "../outside/b.txt", "plan"),
                    Catch::StartsWith("plan: "));
}

}  // namespace
}  // namespace okbench
