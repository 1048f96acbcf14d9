#pragma once
// Output of `okbench check`: JSON for programs, Markdown for a comment on a pull request.

#include <nlohmann/json.hpp>
#include <string>

#include "harness/reference/reference_files.h"

namespace okbench {

/// Number of trials in state ReferenceState::kLibrary, as a text; empty if there are none.
std::string NotCompared(const ReferenceReport& report);

/// Totals, and one row per trial with its values before and after. docs/howto/change-a-reference.md describes
/// the keys. `updated`: the references were updated.
nlohmann::ordered_json CheckJson(const ReferenceReport& report, bool updated);

/// GitHub Markdown of several lines: a verdict, and a table of changes with counts and errors before and
/// after. Long parts are collapsed. The text fits the size limit of a GitHub comment.
std::string CheckMarkdown(const ReferenceReport& report, bool updated);

}  // namespace okbench
