// `okbench merge DIR...`: verifies and merges result folders.

#include "harness/results/merge.h"

#include <fmt/core.h>

#include <memory>

#include "harness/cli/printing.h"
#include "harness/cli/verb.h"

namespace okbench {
namespace {

struct MergeOptions {
  std::vector<std::string> folders;
  std::string out;
};

// Returns 0 if every planned trial has a valid result and no two results contradict each other, else 1.
int MergeFolders(const MergeOptions& options) {
  const MergeReport report = Merge(options.folders, options.out, PrintLine);
  fmt::print("{} of {} planned trials have a valid result; {} copied, {} missing, {} contradicting\n",
             report.valid, report.planned, report.copied, report.missing, report.contradicting);
  return report.complete() ? 0 : 1;
}

}  // namespace

Verb AddMerge(CLI::App& program) {
  CLI::App* verb = AddVerb(program, "merge", "Verify result folders, join them and name missing trials",
                           "okbench merge node1/results node2/results --out results/all");
  const auto options = std::make_shared<MergeOptions>();
  AddOption(*verb, "folder", options->folders, "Result folders, e.g. of several machines",
            {.required = true});
  AddOption(*verb, "--out", options->out, "Copy valid results to this folder (default: verify only)");
  return {verb, [options] { return MergeFolders(*options); }};
}

}  // namespace okbench
