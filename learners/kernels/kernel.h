#pragma once
// Kernel: which kernel function and its parameters. A plain value; the engine (engine.h) alone evaluates it.

#include <string>

namespace okbench {

enum class KernelKind {
  kLinear,                 ///< k(x,x') = <x,x'>
  kPolynomial,             ///< k(x,x') = (scale <x,x'> + offset)^degree; homogeneous when offset = 0
  kRbf,                    ///< k(x,x') = exp(-gamma ||x-x'||^2); gamma = 1/(2 sigma^2)
  kHistogramIntersection,  ///< k(x,x') = sum_j min(x_j, x'_j), features >= 0
};

struct Kernel {
  KernelKind kind = KernelKind::kRbf;
  double gamma = 1;   ///< RBF only, > 0
  double scale = 1;   ///< polynomial only, > 0
  double offset = 0;  ///< polynomial only, >= 0
  int degree = 1;     ///< polynomial only, 1 .. 64

  static Kernel Linear();
  static Kernel Polynomial(int degree, double scale, double offset);
  static Kernel RbfFromGamma(double gamma);
  /// k = exp(-||x-x'||^2 / (2 sigma^2)), eq. 63 of svmd-2006.
  static Kernel RbfFromSigma(double sigma);
  static Kernel HistogramIntersection();

  /// Throws InvalidArgument when a parameter is out of its range.
  void Validate() const;
  /// One readable line, e.g. "RBF, gamma = 0.0078125".
  std::string Describe() const;
};

}  // namespace okbench
