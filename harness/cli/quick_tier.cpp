#include "harness/cli/quick_tier.h"

#include "harness/system/paths.h"

namespace okbench {

DataFolders NoData(const std::string& folder) {
  return {.cache = folder, .mirror = "", .generated_only = true};
}

std::vector<PlannedSpec> PlanQuick(const std::vector<std::string>& specs, const std::string& out,
                                   const std::string& no_data, const Catalog& catalog) {
  const PlanRequest request{
      .specs = specs.empty() ? KnownSpecs() : specs, .overrides = {}, .tier = "quick", .out = out};
  return PlanSpecs(request, catalog, NoData(no_data));
}

std::string ReferenceFolder() { return HomeFolder() + "/results/reference"; }

}  // namespace okbench
