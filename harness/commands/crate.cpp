// `okbench crate RESULTS`: a result folder as an RO-Crate, by okbench.crate.

#include <memory>

#include "harness/commands/verb.h"
#include "harness/system/child.h"
#include "harness/system/paths.h"

namespace okbench {
namespace {

struct CrateOptions {
  std::string results = "results/default", license = "BSD-3-Clause", agent;
};

int MakeCrate(const CrateOptions& options) {
  std::vector<std::string> words = {PythonInterpreter(), "-m", "okbench.crate",
                                    "--license=" + options.license};
  if (!options.agent.empty()) words.push_back("--agent=" + options.agent);
  for (const std::string& path : CatalogPaths()) words.insert(words.end(), {"--catalog", path});
  for (const std::string& folder : ExperimentFolders()) words.insert(words.end(), {"--experiments", folder});
  words.insert(words.end(), {"--", options.results});
  return RunProgram(words, HomeFolder() + "/python");
}

}  // namespace

Verb AddCrate(CLI::App& program) {
  CLI::App* verb = AddVerb(
      program, "crate",
      "Describe a result folder for archives: ro-crate-metadata.json in it (RO-Crate 1.1, Process Run "
      "Crate 0.5), with every file, program, data set and trial");
  const auto options = std::make_shared<CrateOptions>();
  AddOption(*verb, "results", options->results, "Result folder, which may hold several experiments",
            {.show_default = true});
  AddOption(*verb, "--license", options->license, "Licence of the results: a name of SPDX, or an address",
            {.show_default = true});
  AddOption(*verb, "--agent", options->agent,
            "Who ran the trials, which traces do not tell: \"NAME\" or \"NAME <https://orcid.org/...>\"");
  return {verb, [options] { return MakeCrate(*options); }};
}

}  // namespace okbench
