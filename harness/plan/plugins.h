#pragma once
// Plugins: learners in shared libraries, which join the registry (learners/api/plugin.h).

#include <string>

namespace okbench {

/// Loads a shared library and adds its learner to the registry; its code stays until the program ends. Before
/// any plan is made, by one thread. Whether it was built for this program is read from its bytes, before any
/// of its code runs. Throws SpecError for a file that is no shared library, is whole only in part, has no
/// okbench_plugin, is of another interface, or whose learner cannot be described or has a name that is taken.
void LoadPlugin(const std::string& path);

}  // namespace okbench
