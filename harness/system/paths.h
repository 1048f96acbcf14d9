#pragma once
// Where the program's own files lie: beside the sources when run from a build, or below share/okbench when
// installed.

#include <string>
#include <vector>

#include "datasets/catalog.h"

namespace okbench {

/// Folder with `experiments/` and `datasets/`: OKBENCH_HOME, else the installed one, else the source folder.
std::string HomeFolder();

/// The catalogue, followed by that of sets that the user has added, and by others of the user
/// (OKBENCH_CATALOG, a colon-separated list).
std::vector<std::string> CatalogPaths();

/// The project's catalogue and the user's own. Throws DataError.
Catalog ReadCatalog();

/// Folders of papers: experiments/ below the home folder, then the user's own (OKBENCH_EXPERIMENTS, a
/// colon-separated list).
std::vector<std::string> ExperimentFolders();

/// Spec files <folder>/*/*.toml below these, claims left out; sorted.
std::vector<std::string> KnownSpecs();

/// The Python interpreter: OKBENCH_PYTHON, else the one chosen at build time.
std::string PythonInterpreter();

}  // namespace okbench
