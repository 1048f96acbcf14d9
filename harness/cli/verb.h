#pragma once
// The verbs written in C++. Each has a file that declares its options and implements it. To add a verb:
//   - in C++: harness/cli/NAME.cpp with `Verb AddNAME(CLI::App&)`, called in command_line.cpp;
//   - in Python: python/okbench/cli/NAME.py with add_options(parser) and run(options). The first line of its
//     docstring is the help text.
// Test --help and errors in tests/program/.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "datasets/catalog/catalog.h"
#include "harness/plan/planned_spec.h"

namespace CLI {
class App;
}

namespace okbench {

struct Verb {
  CLI::App* options;         ///< owned by the program; parsed() is true if the user named this verb
  std::function<int()> act;  ///< runs the verb after parsing; returns the exit status
};

/// Each adds its verb to the program.
Verb AddCheck(CLI::App& program);
Verb AddCompletion(CLI::App& program);
Verb AddData(CLI::App& program);
Verb AddHelp(CLI::App& program);
Verb AddPlan(CLI::App& program);
Verb AddRun(CLI::App& program);
Verb AddVerify(CLI::App& program);

/// Adds the verbs written in Python, so that help and completion list them.
void AddPythonVerbs(CLI::App& program);

/// Which values an option accepts, and how help shows it.
struct OptionRules {
  bool required = false;
  bool show_default = false;
  std::vector<std::string> one_of{};
  std::optional<std::pair<double, double>> range{};  ///< smallest and largest value
  const char* repeated = nullptr;  ///< lists: the option may be repeated, with one value of this name each
};

// A thin layer over CLI11, whose headers are slow to compile.

/// Adds a verb. `help` is one line that starts with a verb; `example` is a command.
CLI::App* AddVerb(CLI::App& program, const char* name, const char* help, const char* example);
/// A name that starts with -- is an option, any other name a positional argument.
template <class Value>
void AddOption(CLI::App& verb, const char* name, Value& value, const char* help,
               const OptionRules& rules = {});
void AddFlag(CLI::App& verb, const char* name, bool& value, const char* help);
/// Refuses two options in one command.
void Exclude(CLI::App& verb, const char* name, const char* other);

/// Options that several verbs have.
void AddSpecs(CLI::App& verb, PlanRequest& request);  ///< SPEC... and --set
void AddTier(CLI::App& verb, PlanRequest& request);
void AddJson(CLI::App& verb, bool& as_json);

}  // namespace okbench
