#pragma once
// The verbs written in Python.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace okbench {

struct PythonVerb {
  std::string name;  ///< "claims", or "data add": the module is okbench.cli.data_add
  std::string help;  ///< first line of the module's docstring
};

/// All modules of python/okbench/cli at build time, sorted by name.
const std::vector<PythonVerb>& PythonVerbs();

/// Runs `python -P -m okbench NAME ARGUMENTS` in the foreground and returns its exit status. Throws DataError
/// when Python cannot be started.
int RunPythonVerb(const std::string& name, const std::vector<std::string>& arguments);

/// Replaces this process by that program. Returns 127 when Python cannot be started.
int BecomePythonVerb(const std::string& name, const std::vector<std::string>& arguments);

/// The options of all these verbs, as `python -P -m okbench --options` prints them: {verb: [{"name", "help",
/// "choices", "takes_value"}, ...]}. Empty when Python is not available.
nlohmann::json PythonVerbOptions();

}  // namespace okbench
