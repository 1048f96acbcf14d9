#pragma once
// The table [kernel] of a spec.

#include <map>
#include <string>
#include <vector>

#include "datasets/catalog.h"
#include "harness/spec/toml_reader.h"
#include "learners/kernels/kernel.h"

namespace okbench {

/// Reads it for data sets of these names; `gammas` gets gamma of each, where the spec says one for each: the
/// kernel then has the first. Throws SpecError.
Kernel ReadKernel(const TomlSource& source, const toml::table& kernel, const std::vector<std::string>& names,
                  const Catalog& catalog, std::map<std::string, double>& gammas);

}  // namespace okbench
