#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <set>

#include "datasets/error.h"
#include "harness/commands.h"
#include "harness/paths.h"

namespace okbench {
namespace {

// The files of the named sets (of all, when none is named), each once.
std::vector<DataFile> FilesOf(const std::vector<std::string>& names, const Catalog& catalog) {
  std::vector<std::string> wanted = names;
  if (wanted.empty())
    for (const auto& [name, set] : catalog.sets()) wanted.push_back(name);
  std::vector<DataFile> files;
  std::set<std::string> seen;
  for (const std::string& name : wanted)
    for (const auto& [part, info] : catalog.Find(name).parts)
      for (const DataFile& file : info.files)
        if (seen.insert(file.name).second) files.push_back(file);
  return files;
}

int Fetch(const std::vector<std::string>& names) {
  const std::string python = PythonInterpreter();
  std::vector<std::string> words = {python, HomeFolder() + "/datasets/fetch.py"};
  for (const std::string& path : CatalogPaths()) words.insert(words.end(), {"--catalog", path});
  words.insert(words.end(), names.begin(), names.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    execvp(arguments[0], arguments.data());
    fmt::print(stderr, "okbench: cannot start {}: {}\n", python, std::strerror(errno));
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0)
    throw DataError(std::string("cannot start the fetcher: ") + std::strerror(errno));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int Verify(const std::vector<DataFile>& files, const DataFolders& folders) {
  int missing = 0;
  for (const DataFile& file : files) {
    const auto path = Locate(file, folders);
    if (!path) {
      fmt::print("missing   {}\n", file.name);
      ++missing;
      continue;
    }
    ReadVerified(file, *path);
    fmt::print("verified  {}\n", *path);
  }
  return missing == 0 ? 0 : 1;
}

int Paths(const std::vector<DataFile>& files, const DataFolders& folders) {
  int missing = 0;
  for (const DataFile& file : files) {
    const auto path = Locate(file, folders);
    if (path)
      fmt::print("{}\n", *path);
    else
      fmt::print(stderr, "okbench: {} is in neither {} nor the mirror; okbench data fetch gets it\n",
                 file.name, folders.cache);
    missing += path ? 0 : 1;
  }
  return missing == 0 ? 0 : 1;
}

}  // namespace

int DataCommand(const std::string& action, const std::vector<std::string>& names, const Catalog& catalog,
                const DataFolders& folders) {
  const std::vector<DataFile> files = FilesOf(names, catalog);
  if (action == "fetch") return Fetch(names);
  if (action == "verify") return Verify(files, folders);
  if (action == "path") return Paths(files, folders);
  ListCommand("datasets", false, catalog, folders);
  return 0;
}

}  // namespace okbench
