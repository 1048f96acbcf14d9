#pragma once
// Where the program's own files lie: beside the sources when run from a build, or below share/okbench when
// installed.

#include <string>
#include <vector>

#include "datasets/catalog.h"

namespace okbench {

/// Folder with `experiments/` and `datasets/`: OKBENCH_HOME, else the one that SetHomeFolder named, else the
/// installed one, else the source folder.
std::string HomeFolder();

/// Names the home folder of a process that is not the program: Python's, which knows where its package lies.
/// Not thread-safe.
void SetHomeFolder(const std::string& folder);

/// Folders of the Python packages in the home folder, colon-separated; empty where they are installed among
/// the interpreter's own.
std::string PythonPath();

/// The catalogue, followed by that of sets that the user has added, and by others of the user
/// (OKBENCH_CATALOG, a colon-separated list).
std::vector<std::string> CatalogPaths();

/// The project's catalogue and the user's own. Throws DataError.
Catalog ReadCatalog();

/// Folders of papers: experiments/ below the home folder, then the user's own (OKBENCH_EXPERIMENTS, a
/// colon-separated list).
std::vector<std::string> ExperimentFolders();

/// Spec files <folder>/*/*.toml below these, sorted; without claims, and what lies in folders called
/// learners, which specs share.
std::vector<std::string> KnownSpecs();

/// The Python interpreter: OKBENCH_PYTHON, else the one chosen at build time.
std::string PythonInterpreter();

}  // namespace okbench
