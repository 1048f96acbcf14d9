#include "datasets/locate.h"

#include <filesystem>
#include <vector>

#include "datasets/archive.h"
#include "datasets/environment.h"
#include "datasets/error.h"
#include "datasets/sha256.h"

namespace okbench {

namespace fs = std::filesystem;

DataFolders DataFolders::FromEnvironment() {
  DataFolders folders;
  folders.mirror = Environment("OKBENCH_MIRROR");
  if (!folders.mirror.empty() && !fs::is_directory(folders.mirror))
    throw DataError("OKBENCH_MIRROR=" + folders.mirror + ": no such folder");
  folders.cache = Environment("OKBENCH_CACHE");
  if (folders.cache.empty()) {
    const std::string xdg = Environment("XDG_CACHE_HOME");
    folders.cache = (xdg.empty() ? Environment("HOME") + "/.cache" : xdg) + "/okbench";
  }
  return folders;
}

std::optional<std::string> Locate(const DataFile& file, const DataFolders& folders) {
  std::vector<fs::path> places = {fs::path(folders.cache) / file.name};
  if (!folders.mirror.empty()) {
    places.push_back(fs::path(folders.mirror) / file.name);
    places.push_back(fs::path(folders.mirror) / fs::path(file.name).filename());
  }
  for (const fs::path& place : places)
    if (fs::is_regular_file(place)) return place.string();
  return std::nullopt;
}

std::string ReadVerified(const DataFile& file, const std::string& path) {
  std::string content = ReadContent(path);
  if (file.sha256.empty()) return content;
  const std::string digest = Sha256Hex(content);
  if (digest != file.sha256)
    throw DataError(path, 0, 0,
                    "its content has sha256 " + digest + ", the catalogue says " + file.sha256 +
                        "; remove the file and fetch it again");
  return content;
}

}  // namespace okbench
