#pragma once
// The table [kernel] of a spec.

#include <map>
#include <string>
#include <vector>

#include "datasets/catalog.h"
#include "harness/spec/axis.h"
#include "harness/spec/toml_reader.h"
#include "learners/kernels/kernel.h"

namespace okbench {

struct KernelSpec {
  Kernel kernel;                         ///< with the first value of every list
  std::map<std::string, double> gammas;  ///< RBF: gamma of each data set, when it differs between them
  std::vector<Axis> grid;                ///< kernel.sigma = { grid = [...] }: every combination is run
  std::vector<Axis> tune;                ///< kernel.sigma = { tune = [...] }: cross validation chooses
};

/// Reads it for data sets of these names. Throws SpecError.
KernelSpec ReadKernel(const TomlSource& source, const toml::table& kernel,
                      const std::vector<std::string>& names, const Catalog& catalog);

/// The axis "kernel.sigma", "kernel.gamma", "kernel.degree", "kernel.scale" or "kernel.offset" set to a
/// value. Throws InvalidArgument for one out of its range.
Kernel WithValue(Kernel kernel, const std::string& axis, const ParameterValue& value);

/// What grids and tuned values of kernels are called: this and the key.
inline constexpr const char* kKernelAxis = "kernel.";

}  // namespace okbench
