// `okbench data list|fetch|verify|path [NAME...]`.

#include <fmt/core.h>

#include <memory>
#include <set>

#include "datasets/load.h"
#include "harness/commands/data_sets.h"
#include "harness/commands/verb.h"
#include "harness/system/child.h"
#include "harness/system/paths.h"

namespace okbench {
namespace {

struct DataOptions {
  std::string action;
  std::vector<std::string> names;
};

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
  std::vector<std::string> words = {PythonInterpreter(), HomeFolder() + "/datasets/fetch.py"};
  for (const std::string& path : CatalogPaths()) words.insert(words.end(), {"--catalog", path});
  words.insert(words.end(), names.begin(), names.end());
  return RunProgram(words);
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

int ActOnData(const DataOptions& options) {
  const Catalog catalog = ReadCatalog();
  const DataFolders folders = DataFolders::FromEnvironment();
  const std::vector<DataFile> files = FilesOf(options.names, catalog);
  if (options.action == "fetch") return Fetch(options.names);
  if (options.action == "verify") return Verify(files, folders);
  if (options.action == "path") return Paths(files, folders);
  PrintDataSets(DataSetsJson(catalog, folders));
  return 0;
}

}  // namespace

Verb AddData(CLI::App& program) {
  CLI::App* verb = AddVerb(
      program, "data", "Data sets: list them, fetch, verify against sha256, print the paths of their files");
  const auto options = std::make_shared<DataOptions>();
  AddOption(*verb, "action", options->action, "list, fetch, verify or path",
            {.required = true, .one_of = {"list", "fetch", "verify", "path"}});
  AddOption(*verb, "name", options->names, "Data sets; default: all");
  return {verb, [options] { return ActOnData(*options); }};
}

}  // namespace okbench
