#pragma once
// What `okbench check` found, for machines and for a comment on a change.

#include <nlohmann/json.hpp>
#include <string>

#include "harness/store/reference_files.h"

namespace okbench {

/// How many trials are not compared, in a line: ReferenceState::kLibrary. Empty: none.
std::string NotCompared(const ReferenceReport& report);

/// Totals, and a row a trial with what it was and is; docs/reproducibility.md has the keys. `updated`: the
/// references were renewed.
nlohmann::ordered_json CheckJson(const ReferenceReport& report, bool updated);

/// GitHub's Markdown, shorter than its longest comment: a verdict, a table of what changed with counts and
/// errors before and after, and folded what is long. Several lines.
std::string CheckMarkdown(const ReferenceReport& report, bool updated);

}  // namespace okbench
