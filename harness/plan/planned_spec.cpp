#include "harness/plan/planned_spec.h"

#include <algorithm>

#include "base/error.h"
#include "base/sha256.h"

namespace okbench {

namespace fs = std::filesystem;

std::string DefaultFolder(const PlanRequest& request) {
  std::string folder = "results/" + request.tier;
  if (request.overrides.empty()) return folder;
  std::string all;
  for (const std::string& assignment : request.overrides) all += assignment + "\n";
  return folder + "-set-" + Sha256Hex(all).substr(0, 8);
}

std::vector<PlannedSpec> PlanSpecs(const PlanRequest& request, const Catalog& catalog,
                                   const DataFolders& folders) {
  const fs::path out = request.out.empty() ? DefaultFolder(request) : request.out;
  std::vector<PlannedSpec> planned;
  const auto is_claims = [](const std::string& path) { return fs::path(path).filename() == "claims.toml"; };
  if (!request.specs.empty() && std::all_of(request.specs.begin(), request.specs.end(), is_claims))
    throw SpecError(request.specs.front() + " holds claims, not an experiment");
  for (const std::string& path : request.specs) {
    // The glob experiments/*/*.toml also matches claims, which are not specs.
    if (is_claims(path)) continue;
    PlannedSpec spec;
    spec.spec = ReadSpec(path, request.tier, request.overrides, catalog);
    spec.trials = MakePlan(spec.spec, catalog, folders);
    if (request.no_synthetic) std::erase_if(spec.trials, [](const Trial& trial) { return trial.synthetic; });
    for (const std::string& name : spec.spec.data.names)
      if (catalog.replaced(name)) spec.replaced.push_back(name);
    spec.replace = request.replace;
    spec.no_synthetic = request.no_synthetic;
    const bool apart = request.out.empty() && !spec.replaced.empty();
    spec.folder = (apart ? fs::path(out.string() + "-replaced-data") : out) / spec.spec.experiment;
    for (const PlannedSpec& other : planned)
      if (other.folder == spec.folder)
        throw SpecError(path + ": experiment '" + spec.spec.experiment + "' is already used by " +
                        other.spec.path);
    planned.push_back(std::move(spec));
  }
  return planned;
}

}  // namespace okbench
