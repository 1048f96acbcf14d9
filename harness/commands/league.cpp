// `okbench league [RESULTS]`: learners ranked by what they cost, by okbench.league.

#include <fmt/format.h>

#include <memory>

#include "harness/commands/verb.h"
#include "harness/system/child.h"
#include "harness/system/paths.h"

namespace okbench {
namespace {

struct LeagueOptions {
  std::string results = "results/default", cost = "tuning";
  std::size_t budget = 0;  // any
  bool json = false;
};

int ShowLeague(const LeagueOptions& options) {
  std::vector<std::string> words = {PythonInterpreter(),       "-m",     "okbench.verb",
                                    "okbench.league.__main__", "--cost", options.cost};
  if (options.budget > 0) words.insert(words.end(), {"--budget", fmt::format("{}", options.budget)});
  if (options.json) words.emplace_back("--json");
  words.insert(words.end(), {"--", options.results});
  return RunProgram(words, PythonPath());
}

}  // namespace

Verb AddLeague(CLI::App& program) {
  CLI::App* verb = AddVerb(program, "league",
                           "Rank the learners of the experiments league/...: errors, cost to target, tests");
  const auto options = std::make_shared<LeagueOptions>();
  AddOption(*verb, "results", options->results, "Result folder", {.show_default = true});
  AddOption(*verb, "--cost", options->cost,
            "Kernel evaluations requested with tuning, requested, or computed; memory, or seconds",
            {.show_default = true, .one_of = {"tuning", "requested", "computed", "memory", "seconds"}});
  AddOption(*verb, "--budget", options->budget, "Only learners with a budget, of at most so much",
            {.range = {{1, 1e9}}});
  AddJson(*verb, options->json);
  return {verb, [options] { return ShowLeague(*options); }};
}

}  // namespace okbench
