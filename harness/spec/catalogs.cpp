#include "harness/spec/catalogs.h"

#include <filesystem>

#include "datasets/files/locate.h"
#include "harness/system/paths.h"

namespace okbench {

std::vector<std::string> CatalogPaths(bool replacements) {
  std::vector<std::string> paths = {HomeFolder() + "/datasets/catalog.toml"};
  if (replacements) paths.push_back(HomeFolder() + "/datasets/replacements.toml");
  const std::string own = UserDataFolder() + "/catalog.toml";
  if (std::filesystem::exists(own)) paths.push_back(own);
  const std::vector<std::string> more = EnvironmentList("OKBENCH_CATALOG");
  paths.insert(paths.end(), more.begin(), more.end());
  return paths;
}

Catalog ReadCatalog(bool replacements) {
  Catalog catalog;
  for (const std::string& path : CatalogPaths(replacements)) catalog.Read(path);
  return catalog;
}

const Catalog& Catalogs::Get(bool replacements) {
  const std::lock_guard lock(mutex_);
  std::optional<Catalog>& catalog = replacements ? with_replacements_ : plain_;
  if (!catalog) catalog = ReadCatalog(replacements);
  return *catalog;
}

}  // namespace okbench
