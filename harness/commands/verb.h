#pragma once
// The verbs of the program. Each has a file that declares its options, and does what it is asked for.

#include <functional>

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
Verb AddClaims(CLI::App& program);
Verb AddMerge(CLI::App& program);
Verb AddCheck(CLI::App& program);

/// Options that several verbs have.
void AddSpecs(CLI::App& verb, PlanRequest& request);  ///< SPEC... and --set
void AddTier(CLI::App& verb, PlanRequest& request);
void AddJson(CLI::App& verb, bool& as_json);

/// The project's catalogue and the user's own. Throws DataError.
Catalog ReadCatalog();

}  // namespace okbench
