#pragma once
// Reads the tables [learners.KEY] of a spec.

#include <string>

#include "harness/spec/spec.h"
#include "harness/spec/toml_reader.h"

namespace okbench {

/// Reads [learners.KEY] with its fixed parameters, grid and tuned axes. Throws SpecError.
LearnerEntry ReadLearner(const TomlSource& source, const toml::table& table, const std::string& key);

}  // namespace okbench
