#pragma once
// Locations of the files that belong to okbench: the source folder for a build, or share/okbench when
// installed.

#include <string>
#include <vector>

namespace okbench {

/// The non-empty elements of a colon-separated environment variable.
std::vector<std::string> EnvironmentList(const char* variable);

/// Folder that contains `experiments/` and `datasets/`. The first of: OKBENCH_HOME, the folder set by
/// SetHomeFolder, the installed share/okbench, the source folder above the program, the source folder at
/// build time.
std::string HomeFolder();

/// Sets the home folder. Used by the Python package, whose process is not the program okbench.
/// Not thread-safe.
void SetHomeFolder(const std::string& folder);

/// Folder of the Python package okbench; empty when it is installed in the interpreter's own folders.
std::string PythonPath();

/// Folders of experiments: experiments/ below the home folder, then those in OKBENCH_EXPERIMENTS (a
/// colon-separated list).
std::vector<std::string> ExperimentFolders();

/// All spec files (*.toml) below ExperimentFolders(), sorted. Excludes claims.toml and the files in folders
/// named "learners", which specs include.
std::vector<std::string> KnownSpecs();

/// The Python interpreter: OKBENCH_PYTHON, else the one chosen at build time.
std::string PythonInterpreter();

}  // namespace okbench
