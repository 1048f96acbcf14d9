// `okbench verify FOLDER...`: checks that results belong to the present specs, data and code, and joins
// folders.

#include "harness/results/verify.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "harness/cli/printing.h"
#include "harness/cli/verb.h"
#include "harness/results/merge.h"
#include "harness/results/result_files.h"
#include "harness/results/rows.h"

namespace okbench {
namespace {

struct VerifyOptions {
  std::vector<std::string> folders;
  std::string out;
  bool plans = false;
  bool json = false;
};

// Prints how the plans differ from the present ones. Returns 1 if they do or a plan is invalid, else 0.
int VerifyPlans(const VerifyOptions& options) {
  nlohmann::json stale = nlohmann::json::object(), unplanned = nlohmann::json::object();
  bool valid = true;
  Catalogs catalogs;
  for (const std::string& root : options.folders) {
    if (!std::filesystem::is_directory(root)) throw SpecError(root + ": no such folder");
    for (const auto& folder : ResultFoldersBelow(root)) try {
        const PlanDifference difference = ComparePlans(folder, catalogs);
        for (const auto& [id, reason] : difference.stale) {
          stale[id] = reason;
          if (!options.json) fmt::print("{}: trial {} is stale: {}\n", folder.string(), id, reason);
        }
        for (const PlanEntry& entry : difference.unplanned) {
          unplanned[entry.name] = entry.id;
          if (!options.json)
            fmt::print("{}: the present spec has {}, the plan does not\n", folder.string(), entry.name);
        }
      } catch (const TraceError& error) {
        PrintErrorLine(error.what());
        valid = false;
      }
  }
  if (options.json)
    fmt::print("{}\n", nlohmann::json{{"format", 1}, {"stale", stale}, {"unplanned", unplanned}}.dump(1));
  return valid && stale.empty() && unplanned.empty() ? 0 : 1;
}

// Reads every trace. Returns 1 if a planned trial has no valid result, else 0.
int VerifyResults(const VerifyOptions& options) {
  std::size_t trials = 0, valid = 0;
  const auto count = [&](const Row& row, std::size_t) {
    ++trials;
    valid += row.HasNumbers() ? 1 : 0;
  };
  ForEachRow({.paths = options.folders, .folds = true, .traces = true}, count, PrintErrorLine);
  if (options.json)
    fmt::print("{}\n", nlohmann::json{{"format", 1}, {"trials", trials}, {"valid", valid}}.dump(1));
  else
    fmt::print("{} of {} trials have a valid result\n", valid, trials);
  return valid == trials ? 0 : 1;
}

// Returns 0 if every planned trial has a valid result and no two results contradict each other, else 1.
int MergeFolders(const VerifyOptions& options) {
  const MergeReport report = Merge(options.folders, options.out, PrintLine);
  fmt::print("{} of {} planned trials have a valid result; {} copied, {} missing, {} contradicting\n",
             report.valid, report.planned, report.copied, report.missing, report.contradicting);
  return report.complete() ? 0 : 1;
}

int ActOnResults(const VerifyOptions& options) {
  if (options.plans) return VerifyPlans(options);
  const bool several = options.folders.size() > 1 && !options.json;
  return several || !options.out.empty() ? MergeFolders(options) : VerifyResults(options);
}

}  // namespace

Verb AddVerify(CLI::App& program) {
  CLI::App* verb = AddVerb(program, "verify",
                           "Check that results belong to the present specs, data and code; join folders",
                           "okbench verify node1/results node2/results --out results/all");
  const auto options = std::make_shared<VerifyOptions>();
  AddOption(*verb, "folder", options->folders, "Result folders; several are compared with each other",
            {.required = true});
  AddOption(*verb, "--out", options->out, "Copy valid results of all folders to this folder");
  AddFlag(*verb, "--plans", options->plans, "Compare plans only; do not read the traces");
  AddJson(*verb, options->json);
  Exclude(*verb, "--out", "--plans");
  Exclude(*verb, "--out", "--json");
  return {verb, [options] { return ActOnResults(*options); }};
}

}  // namespace okbench
