// `okbench claims [PAPER...]`: the papers' claims judged on traces, by okbench.claims.

#include <memory>

#include "harness/commands/verb.h"
#include "harness/system/child.h"
#include "harness/system/paths.h"

namespace okbench {
namespace {

struct ClaimsOptions {
  std::vector<std::string> papers;
  std::string results = "results/default";
  bool json = false;
  bool ranges = false;
  bool tex = false;
};

// The status of okbench.claims: 1 when a verdict is not the one recorded as expected.
int JudgeClaims(const ClaimsOptions& options) {
  std::vector<std::string> words = {PythonInterpreter(),       "-m",        "okbench.verb",
                                    "okbench.claims.__main__", "--results", options.results};
  for (const std::string& folder : ExperimentFolders()) words.insert(words.end(), {"--experiments", folder});
  if (options.json) words.emplace_back("--json");
  if (options.ranges) words.emplace_back("--ranges");
  if (options.tex) words.emplace_back("--tex");
  words.emplace_back("--");
  words.insert(words.end(), options.papers.begin(), options.papers.end());
  return RunProgram(words, PythonPath());
}

}  // namespace

Verb AddClaims(CLI::App& program) {
  CLI::App* verb = AddVerb(
      program, "claims", "Judge what the papers state on the traces: reproduced, not reproduced, or not run");
  const auto options = std::make_shared<ClaimsOptions>();
  AddOption(*verb, "paper", options->papers, "Papers, e.g. sfd-2013; default: all that have claims");
  AddOption(*verb, "--results", options->results, "Result folder", {.show_default = true});
  AddJson(*verb, options->json);
  AddFlag(*verb, "--tex", options->tex,
          "TeX macros in place of text: \\okbenchClaim{ID}, \\okbenchVerdict{ID}");
  AddFlag(*verb, "--ranges", options->ranges,
          "Judge nothing; write ranges.json beside the claims: what their measures range over in all trials");
  return {verb, [options] { return JudgeClaims(*options); }};
}

}  // namespace okbench
