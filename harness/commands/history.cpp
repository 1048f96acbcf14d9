// `okbench history`: how the references moved, by okbench.history.

#include <algorithm>
#include <memory>

#include "harness/commands/quick_tier.h"
#include "harness/commands/verb.h"
#include "harness/system/child.h"
#include "harness/system/paths.h"

namespace okbench {
namespace {

struct HistoryOptions {
  std::string reference;  // folder; empty: the project's own
  std::string trial;      // all
  bool json = false;
};

// References have no ids, which move with revisions: the name of the trial that has one today, else the text.
std::string NameOfTrial(const std::string& text) {
  constexpr std::size_t kIdLength = 16;
  if (text.size() != kIdLength || text.find_first_not_of("0123456789abcdef") != std::string::npos)
    return text;
  for (const PlannedSpec& spec : PlanQuick({}, "results", "no-data", ReadCatalog()))
    for (const Trial& trial : spec.trials)
      if (trial.id == text) return trial.Name();
  return text;
}

int ShowHistory(const HistoryOptions& options) {
  std::vector<std::string> words = {PythonInterpreter(), "-m", "okbench.history"};
  if (!options.trial.empty()) words.push_back("--trial=" + NameOfTrial(options.trial));
  if (options.json) words.emplace_back("--json");
  words.insert(words.end(), {"--", options.reference.empty() ? ReferenceFolder() : options.reference});
  return RunProgram(words, PythonPath());
}

}  // namespace

Verb AddHistory(CLI::App& program) {
  CLI::App* verb = AddVerb(
      program, "history",
      "Tell how counts and errors in the references moved: updates with their reasons, and commits before");
  const auto options = std::make_shared<HistoryOptions>();
  AddOption(
      *verb, "--trial", options->trial,
      "One trial: its id, its name, or a pattern of names (* and ?); an experiment has all of its trials");
  AddOption(*verb, "--reference", options->reference,
            "Folder of references; default: results/reference of the project");
  AddJson(*verb, options->json);
  return {verb, [options] { return ShowHistory(*options); }};
}

}  // namespace okbench
