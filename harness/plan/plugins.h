#pragma once
// Plugins: adds learners from shared libraries to the registry (learners/api/plugin.h).

#include <string>

namespace okbench {

/// Loads a shared library and adds its learner to the registry. The library stays loaded until exit.
/// Checks the interface text in the file's bytes before any of the plugin's code runs.
/// Throws SpecError if the file is not a shared library, is truncated, has no okbench_plugin symbol or was
/// built for another interface, or if its learner has an invalid description or a name that is taken.
/// REQUIRES: no plan has been made yet. Not thread-safe.
void LoadPlugin(const std::string& path);

}  // namespace okbench
