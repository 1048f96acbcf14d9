#pragma once
// Where the program's own files lie: beside the sources when run from a build, or below share/okbench when
// installed.

#include <string>
#include <vector>

namespace okbench {

/// The non-empty parts of a colon-separated environment variable.
std::vector<std::string> EnvironmentList(const char* variable);

/// Folder with `experiments/` and `datasets/`: OKBENCH_HOME, else the one that SetHomeFolder named, else the
/// installed one, else the source folder.
std::string HomeFolder();

/// Names the home folder of a process that is not the program: Python's, which knows where its package lies.
/// Not thread-safe.
void SetHomeFolder(const std::string& folder);

/// Folder of the Python package okbench; empty when it is installed in the interpreter's own folders.
std::string PythonPath();

/// Folders of papers: experiments/ below the home folder, then the user's own (OKBENCH_EXPERIMENTS, a
/// colon-separated list).
std::vector<std::string> ExperimentFolders();

/// Spec files <folder>/*/*.toml below these, sorted; without claims, and what lies in folders called
/// learners, which specs share.
std::vector<std::string> KnownSpecs();

/// The Python interpreter: OKBENCH_PYTHON, else the one chosen at build time.
std::string PythonInterpreter();

}  // namespace okbench
