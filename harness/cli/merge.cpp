// `okbench merge DIR...`.

#include "harness/store/merge.h"

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

// 0 when every planned trial has a result and none contradicts another.
int MergeFolders(const MergeOptions& options) {
  const MergeReport report = Merge(options.folders, options.out, PrintLine);
  fmt::print("{} of {} planned trials have a valid result; {} copied, {} missing, {} contradicting\n",
             report.whole, report.planned, report.copied, report.missing, report.contradicting);
  return report.complete() ? 0 : 1;
}

}  // namespace

Verb AddMerge(CLI::App& program) {
  CLI::App* verb =
      AddVerb(program, "merge", "Verify result folders, join them and name missing trials",
              "okbench merge node1/results node2/results --out results/all");
  const auto options = std::make_shared<MergeOptions>();
  AddOption(*verb, "folder", options->folders, "Result folders, e.g. of several machines",
            {.required = true});
  AddOption(*verb, "--out", options->out, "Folder to copy every valid result to; left out: only verify");
  return {verb, [options] { return MergeFolders(*options); }};
}

}  // namespace okbench
