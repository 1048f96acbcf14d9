#pragma once
// Reads the table [kernel] of a spec.

#include <map>
#include <string>
#include <vector>

#include "datasets/catalog/catalog.h"
#include "harness/spec/axis.h"
#include "harness/spec/toml_reader.h"
#include "learners/kernels/kernel.h"

namespace okbench {

struct KernelSpec {
  Kernel kernel;                         ///< uses the first value of every list
  std::map<std::string, double> gammas;  ///< RBF: gamma by data set; empty if one gamma serves all
  std::vector<Axis> grid;                ///< kernel.sigma = { grid = [...] }: runs every combination
  std::vector<Axis> tune;                ///< kernel.sigma = { tune = [...] }: values to choose from
};

/// Reads the table `kernel` for the data sets `names`. Throws SpecError.
KernelSpec ReadKernel(const TomlSource& source, const toml::table& kernel,
                      const std::vector<std::string>& names, const Catalog& catalog);

/// Returns the kernel with one parameter set to `value`.
/// `axis` is "kernel.sigma", "kernel.gamma", "kernel.degree", "kernel.scale", "kernel.offset",
/// "kernel.bias" or "gamma_factor".
/// Throws InvalidArgument if the value is not a number or out of range.
Kernel WithValue(Kernel kernel, const std::string& axis, const ParameterValue& value);

/// Prefix of the names of kernel axes; the key follows.
inline constexpr const char* kKernelAxis = "kernel.";
/// Parameter of every learner with a kernel: multiplies the gamma of the spec's RBF kernel; 0 gives <x, x'>
/// + 1, a linear function with an intercept.
inline constexpr const char* kGammaFactor = "gamma_factor";
/// Whether a parameter changes the kernel and not the method.
bool IsOfKernel(const std::string& parameter);
/// gamma of an RBF kernel, 0 for others: what results store for a kGammaFactor, as "kernel.gamma".
double GammaOf(const Kernel& kernel);

}  // namespace okbench
