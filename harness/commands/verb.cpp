#include "harness/commands/verb.h"

#include <CLI/CLI.hpp>

#include "harness/system/paths.h"

namespace okbench {

void AddSpecs(CLI::App& verb, PlanRequest& request) {
  verb.add_option("spec", request.specs, "Spec files (experiments/*/*.toml)")->required();
  verb.add_option("--set", request.overrides,
                  "Override a value of the spec: path=value, e.g. data.limit=500; may be repeated")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("PATH=VALUE");
}

void AddTier(CLI::App& verb, PlanRequest& request) {
  verb.add_option("--tier", request.tier,
                  "How much to run: quick (seconds), default (minutes), paper (all of the paper)")
      ->check(CLI::IsMember({"quick", "default", "paper"}))
      ->capture_default_str();
}

void AddJson(CLI::App& verb, bool& as_json) { verb.add_flag("--json", as_json, "Machine-readable output"); }

Catalog ReadCatalog() {
  Catalog catalog;
  for (const std::string& path : CatalogPaths()) catalog.Read(path);
  return catalog;
}

}  // namespace okbench
