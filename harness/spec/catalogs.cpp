#include "harness/spec/catalogs.h"

#include <filesystem>

#include "datasets/locate.h"
#include "harness/system/paths.h"

namespace okbench {

std::vector<std::string> CatalogPaths() {
  std::vector<std::string> paths = {HomeFolder() + "/datasets/catalog.toml"};
  const std::string own = UserDataFolder() + "/catalog.toml";
  if (std::filesystem::exists(own)) paths.push_back(own);
  const std::vector<std::string> more = EnvironmentList("OKBENCH_CATALOG");
  paths.insert(paths.end(), more.begin(), more.end());
  return paths;
}

Catalog ReadCatalog() {
  Catalog catalog;
  for (const std::string& path : CatalogPaths()) catalog.Read(path);
  return catalog;
}

}  // namespace okbench
