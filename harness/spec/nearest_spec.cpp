#include "harness/spec/nearest_spec.h"

#include <filesystem>
#include <map>
#include <vector>

#include "base/nearest.h"
#include "harness/system/paths.h"

namespace okbench {

std::string NearestSpec(const std::string& path) {
  namespace fs = std::filesystem;
  const auto shown = [](const std::string& spec) {
    const std::string relative = fs::path(spec).lexically_relative(fs::current_path()).string();
    return relative.empty() || relative.starts_with("..") ? spec : relative;
  };
  const std::string wanted = path.ends_with(".toml") ? path : path + ".toml";
  std::vector<std::string> names;
  std::map<std::string, std::string> specs;  // by folder/name.toml
  for (const std::string& spec : KnownSpecs()) {
    if (("/" + spec).ends_with("/" + wanted)) return shown(spec);
    const fs::path file(spec);
    names.push_back((file.parent_path().filename() / file.filename()).string());
    specs[names.back()] = spec;
  }
  const fs::path file(wanted);
  const std::string nearest = Nearest((file.parent_path().filename() / file.filename()).string(), names);
  return nearest.empty() ? "" : shown(specs[nearest]);
}

}  // namespace okbench
