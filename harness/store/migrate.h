#pragma once
// Migration of trace files of older formats.

#include <cstddef>
#include <string>
#include <vector>

#include "harness/store/say.h"

namespace okbench {

struct MigrateReport {
  std::size_t rewritten = 0, present = 0, damaged = 0;
};

/// Rewrites the traces of format 1 among these files and below these folders in the present one, each by
/// rename, once the digest of its columns is checked; those that fail it are named and left alone. Throws
/// SpecError.
MigrateReport Migrate(const std::vector<std::string>& paths, const Say& say);

}  // namespace okbench
