// Locations of the project's files when another program, such as Python, embeds it.

#include "harness/system/paths.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/environment.h"
#include "harness/spec/catalogs.h"
#include "tests/catch.h"

namespace okbench {
namespace {

TEST_CASE("OKBENCH_HOME overrides the home folder set by the process") {
  const std::string inherited = Environment("OKBENCH_HOME");
  unsetenv("OKBENCH_HOME");
  const std::string before = HomeFolder();
  const auto folder = std::filesystem::temp_directory_path() / ("okbench-paths-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "python");
  SetHomeFolder(folder.string());
  CHECK(HomeFolder() == folder.string());
  CHECK(CatalogPaths().front() == folder.string() + "/datasets/catalog.toml");
  CHECK(PythonPath() == folder.string() + "/python");  // no plots/ exists
  setenv("OKBENCH_HOME", "/nowhere", 1);
  CHECK(HomeFolder() == "/nowhere");
  CHECK(PythonPath().empty());
  unsetenv("OKBENCH_HOME");
  SetHomeFolder("");
  CHECK(HomeFolder() == before);
  std::filesystem::remove_all(folder);
  if (!inherited.empty()) setenv("OKBENCH_HOME", inherited.c_str(), 1);
}

}  // namespace
}  // namespace okbench
