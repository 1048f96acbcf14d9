#include "harness/system/paths.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/environment.h"
#include "base/platform.h"
#include "harness/system/build_info.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;

std::string& NamedHome() {
  static std::string folder;
  return folder;
}

}  // namespace

std::vector<std::string> EnvironmentList(const char* variable) {
  std::vector<std::string> list;
  std::istringstream text(Environment(variable));
  for (std::string item; std::getline(text, item, ':');)
    if (!item.empty()) list.push_back(item);
  return list;
}

std::string HomeFolder() {
  std::string chosen = Environment("OKBENCH_HOME");
  if (chosen.empty()) chosen = NamedHome();
  if (!chosen.empty()) return chosen;
  const fs::path program = ProgramFile();
  if (program.empty()) return kSourceFolder;
  std::error_code error;
  const fs::path installed = program.parent_path().parent_path() / "share" / "okbench";
  if (fs::exists(installed / "datasets", error)) return installed.string();
  // A source folder that was moved or copied with its build has its own files.
  for (fs::path folder = program.parent_path(); folder != folder.root_path(); folder = folder.parent_path())
    if (fs::exists(folder / "CMakePresets.json", error) && fs::exists(folder / "experiments", error) &&
        fs::exists(folder / "datasets", error))
      return folder.string();
  return kSourceFolder;
}

void SetHomeFolder(const std::string& folder) { NamedHome() = folder; }

std::string PythonPath() {
  const std::string folder = HomeFolder() + "/python";
  return fs::is_directory(folder) ? folder : "";
}

std::vector<std::string> ExperimentFolders() {
  std::vector<std::string> folders = {HomeFolder() + "/experiments"};
  const std::vector<std::string> more = EnvironmentList("OKBENCH_EXPERIMENTS");
  folders.insert(folders.end(), more.begin(), more.end());
  return folders;
}

std::vector<std::string> KnownSpecs() {
  std::vector<std::string> specs;
  for (const std::string& folder : ExperimentFolders()) {
    if (!fs::is_directory(folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".toml" && entry.path().filename() != "claims.toml" &&
          entry.path().parent_path().filename() != "learners")
        specs.push_back(entry.path().string());
  }
  std::sort(specs.begin(), specs.end());
  return specs;
}

std::string PythonInterpreter() {
  const std::string chosen = Environment("OKBENCH_PYTHON");
  return chosen.empty() ? kPython : chosen;
}

}  // namespace okbench
