#pragma once
// Kernel: a kernel function and its parameters. A plain value; KernelEngine (engine.h) evaluates it.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace okbench {

enum class KernelKind {
  kLinear,                 ///< k(x,x') = <x,x'>
  kPolynomial,             ///< k(x,x') = (scale <x,x'> + offset)^degree; homogeneous when offset = 0
  kRbf,                    ///< k(x,x') = exp(-gamma ||x-x'||^2); gamma = 1/(2 sigma^2)
  kHistogramIntersection,  ///< k(x,x') = sum_j min(x_j, x'_j), features >= 0
  kSum,                    ///< k(x,x') = sum_t w_t k_t(x,x'), each term on a range of features
  kFunction,               ///< values of a KernelFunction
};

struct KernelTerm;

/// A kernel that code outside the engine computes. Implementations must be thread-safe.
class KernelFunction {
 public:
  virtual ~KernelFunction() = default;
  /// out[r * m + s] = k(a_r, b_s) for n rows a and m rows b, row-major with `features` values a row. May
  /// throw; the learner then cannot continue.
  virtual void Values(const double* a, std::size_t n, const double* b, std::size_t m, std::size_t features,
                      double* out) const = 0;
  /// A description on one line.
  virtual std::string Describe() const = 0;
};

struct Kernel {
  KernelKind kind = KernelKind::kRbf;
  double gamma = 1;                                  ///< RBF only, > 0
  double scale = 1;                                  ///< polynomial only, > 0
  double offset = 0;                                 ///< polynomial only, >= 0
  int degree = 1;                                    ///< polynomial only, 1 .. 64
  std::vector<KernelTerm> terms;                     ///< sums only, at least 1
  std::shared_ptr<const KernelFunction> function{};  ///< kFunction only
  /// Constant added to every value, >= 0: a feature that is sqrt(bias) for all rows, whose weight is an
  /// offset of the scores. Terms of a sum have none.
  double bias = 0;

  static Kernel Linear();
  static Kernel Polynomial(int degree, double scale, double offset);
  static Kernel RbfFromGamma(double gamma);
  /// k = exp(-||x-x'||^2 / (2 sigma^2)), eq. 63 of svmd-2006.
  static Kernel RbfFromSigma(double sigma);
  static Kernel HistogramIntersection();
  /// Values are counted after the function has returned; if it throws, none are counted.
  static Kernel Function(std::shared_ptr<const KernelFunction> function);
  /// A weighted sum of kernels on feature ranges, e.g. a spatial pyramid or several descriptors. One value of
  /// the sum counts as one kernel evaluation.
  static Kernel Sum(std::vector<KernelTerm> terms);

  bool is_intersection() const { return kind == KernelKind::kHistogramIntersection; }
  /// Throws InvalidArgument if a parameter is out of range.
  void Validate() const;
  /// A description on one line, e.g. "RBF, gamma = 0.0078125".
  std::string Describe() const;
};

/// weight * kernel, restricted to features first .. first + count - 1.
struct KernelTerm {
  double weight = 1;  ///< > 0
  Kernel kernel;      ///< any kind except kSum and kFunction
  std::size_t first = 0;
  std::size_t count = 0;  ///< > 0
};

}  // namespace okbench
