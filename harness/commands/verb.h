#pragma once
// The verbs of the program. Each has a file that declares its options, and does what it is asked for.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "datasets/catalog.h"
#include "harness/plan/planned_spec.h"

namespace CLI {
class App;
}

namespace okbench {

struct Verb {
  CLI::App* options;         ///< of the program: tells whether the verb was asked for
  std::function<int()> act;  ///< once the options are read; returns the exit status
};

/// Each adds itself to the program, and holds the values of its options.
Verb AddList(CLI::App& program);
Verb AddPlan(CLI::App& program);
Verb AddRun(CLI::App& program);
Verb AddSummary(CLI::App& program);
Verb AddShow(CLI::App& program);
Verb AddCompare(CLI::App& program);
Verb AddData(CLI::App& program);
Verb AddPlot(CLI::App& program);
Verb AddFigures(CLI::App& program);
Verb AddReport(CLI::App& program);
Verb AddClaims(CLI::App& program);
Verb AddLeague(CLI::App& program);
Verb AddCrate(CLI::App& program);
Verb AddMerge(CLI::App& program);
Verb AddMigrate(CLI::App& program);
Verb AddCheck(CLI::App& program);
Verb AddHistory(CLI::App& program);
Verb AddCompletion(CLI::App& program);  ///< to be added last: it tells the options of all others

/// What the value of an option may be, and how help shows it.
struct OptionRules {
  bool required = false;
  bool show_default = false;
  std::vector<std::string> one_of{};
  std::optional<std::pair<double, double>> range{};  ///< least and largest
  const char* repeated = nullptr;  ///< of lists: given again and again, one value of this name at a time
};

// CLI11, in the few words that the verbs need: its headers take longer to read than all verbs together.

/// A verb of the program.
CLI::App* AddVerb(CLI::App& program, const char* name, const char* help);
/// Names that begin with -- are options, others places. For texts, lists of them, whole and real numbers.
template <class Value>
void AddOption(CLI::App& verb, const char* name, Value& value, const char* help,
               const OptionRules& rules = {});
void AddFlag(CLI::App& verb, const char* name, bool& value, const char* help);

/// Options that several verbs have.
void AddSpecs(CLI::App& verb, PlanRequest& request);  ///< SPEC... and --set
void AddTier(CLI::App& verb, PlanRequest& request);
void AddJson(CLI::App& verb, bool& as_json);

}  // namespace okbench
