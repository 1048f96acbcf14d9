#include "learners/kernels/kernel.h"

#include <cmath>
#include <sstream>

#include "learners/core/error.h"

namespace okbench {
namespace {

Kernel Checked(const Kernel& kernel) {
  kernel.Validate();
  return kernel;
}

}  // namespace

Kernel Kernel::Linear() { return {.kind = KernelKind::kLinear}; }

Kernel Kernel::Polynomial(int degree, double scale, double offset) {
  return Checked({.kind = KernelKind::kPolynomial, .scale = scale, .offset = offset, .degree = degree});
}

Kernel Kernel::RbfFromGamma(double gamma) { return Checked({.kind = KernelKind::kRbf, .gamma = gamma}); }

Kernel Kernel::RbfFromSigma(double sigma) {
  if (!(sigma > 0) || !std::isfinite(sigma)) throw InvalidArgument("RBF kernel: sigma must be > 0");
  return RbfFromGamma(1 / (2 * sigma * sigma));
}

Kernel Kernel::HistogramIntersection() { return {.kind = KernelKind::kHistogramIntersection}; }

void Kernel::Validate() const {
  const auto finite_positive = [](double v) { return std::isfinite(v) && v > 0; };
  if (kind == KernelKind::kRbf && !finite_positive(gamma))
    throw InvalidArgument("RBF kernel: gamma must be > 0");
  if (kind == KernelKind::kPolynomial) {
    if (degree < 1 || degree > 64) throw InvalidArgument("polynomial kernel: degree must be in 1..64");
    if (!finite_positive(scale)) throw InvalidArgument("polynomial kernel: scale must be > 0");
    if (!std::isfinite(offset) || offset < 0) throw InvalidArgument("polynomial kernel: offset must be >= 0");
  }
}

std::string Kernel::Describe() const {
  std::ostringstream text;
  switch (kind) {
    case KernelKind::kLinear:
      return "linear";
    case KernelKind::kHistogramIntersection:
      return "histogram intersection";
    case KernelKind::kRbf:
      text << "RBF, gamma = " << gamma;
      return text.str();
    case KernelKind::kPolynomial:
      text << "polynomial, degree " << degree;
      if (scale != 1) text << ", scale " << scale;
      if (offset != 0) text << ", offset " << offset;
      return text.str();
  }
  return {};
}

}  // namespace okbench
