#include "datasets/files/locate.h"

#include <filesystem>
#include <vector>

#include "base/environment.h"
#include "base/error.h"
#include "base/sha256.h"
#include "datasets/files/archive.h"

namespace okbench {

namespace fs = std::filesystem;

namespace {

// Returns the folder in variable `chosen`, else the subfolder okbench of variable `shared`, else of
// $HOME/below_home.
std::string UserFolder(const char* chosen, const char* shared, const char* below_home) {
  std::string folder = Environment(chosen);
  if (!folder.empty()) return folder;
  const std::string all = Environment(shared);
  return (all.empty() ? Environment("HOME") + below_home : all) + "/okbench";
}

}  // namespace

DataFolders DataFolders::FromEnvironment() {
  DataFolders folders;
  folders.mirror = Environment("OKBENCH_MIRROR");
  if (!folders.mirror.empty() && !fs::is_directory(folders.mirror))
    throw DataError("OKBENCH_MIRROR=" + folders.mirror + ": no such folder");
  folders.cache = UserFolder("OKBENCH_CACHE", "XDG_CACHE_HOME", "/.cache");
  folders.own = UserDataFolder();
  return folders;
}

std::string DataFolders::Names() const {
  return cache + (own.empty() ? "" : ", " + own) + (mirror.empty() ? "" : ", " + mirror);
}

std::string UserDataFolder() { return UserFolder("OKBENCH_DATA", "XDG_DATA_HOME", "/.local/share"); }

std::vector<DataFile> FileChoices(const DataFile& file) {
  std::vector<DataFile> choices = {file};
  choices.insert(choices.end(), file.alternatives.begin(), file.alternatives.end());
  choices.front().alternatives.clear();
  return choices;
}

namespace {

// With the planned digest, if the catalog has none.
FoundFile Found(const DataFile& file, const fs::path& path, const DataFolders& folders) {
  FoundFile location{.file = file, .path = path.string()};
  if (!file.sha256.empty() || !file.file_sha256.empty()) return location;
  if (const auto planned = folders.planned.find(file.name); planned != folders.planned.end()) {
    location.file.sha256 = planned->second;
    location.planned = true;
  }
  return location;
}

}  // namespace

std::optional<FoundFile> Locate(const DataFile& file, const DataFolders& folders) {
  for (const DataFile& choice : FileChoices(file)) {
    std::vector<fs::path> places = {fs::path(folders.cache) / choice.name};
    if (!folders.own.empty()) places.push_back(fs::path(folders.own) / choice.name);
    if (!folders.mirror.empty()) {
      places.push_back(fs::path(folders.mirror) / choice.name);
      places.push_back(fs::path(folders.mirror) / fs::path(choice.name).filename());
    }
    if (!choice.installed.empty()) places.emplace_back(choice.installed);
    for (const fs::path& place : places)
      if (fs::is_regular_file(place)) return Found(choice, place, folders);
  }
  return std::nullopt;
}

std::string ReadVerified(const FoundFile& location) {
  const auto require = [&location](const char* what, const std::string& digest, const std::string& expected) {
    if (digest != expected)
      throw DataError(location.path, 0, 0,
                      std::string(what) + " has " + (expected.size() == 32 ? "md5 " : "sha256 ") + digest +
                          ", the catalog says " + expected + "; remove the file and fetch it again");
  };
  const DataFile& file = location.file;
  if (!file.file_sha256.empty()) require("the file", Sha256OfFile(location.path), file.file_sha256);
  if (!file.file_md5.empty()) require("the file", Md5OfFile(location.path), file.file_md5);
  std::string content = ReadContent(location.path);
  if (location.planned && Sha256Hex(content) != file.sha256)
    throw DataError(location.path, 0, 0, "the file has changed since the run was planned; run again");
  if (!file.sha256.empty() && !location.planned) require("its content", Sha256Hex(content), file.sha256);
  return content;
}

}  // namespace okbench
