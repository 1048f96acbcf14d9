#include "learners/kernels/kernel.h"

#include <cmath>
#include <sstream>
#include <utility>

#include "base/error.h"

namespace okbench {
namespace {

Kernel Checked(const Kernel& kernel) {
  kernel.Validate();
  return kernel;
}

}  // namespace

Kernel Kernel::Linear() { return {.kind = KernelKind::kLinear, .terms = {}}; }

Kernel Kernel::Polynomial(int degree, double scale, double offset) {
  return Checked(
      {.kind = KernelKind::kPolynomial, .scale = scale, .offset = offset, .degree = degree, .terms = {}});
}

Kernel Kernel::RbfFromGamma(double gamma) {
  return Checked({.kind = KernelKind::kRbf, .gamma = gamma, .terms = {}});
}

Kernel Kernel::RbfFromSigma(double sigma) {
  if (!(sigma > 0) || !std::isfinite(sigma)) throw InvalidArgument("RBF kernel: sigma must be > 0");
  return RbfFromGamma(1 / (2 * sigma * sigma));
}

Kernel Kernel::HistogramIntersection() { return {.kind = KernelKind::kHistogramIntersection, .terms = {}}; }

Kernel Kernel::Function(std::shared_ptr<const KernelFunction> function) {
  return Checked({.kind = KernelKind::kFunction, .terms = {}, .function = std::move(function)});
}

Kernel Kernel::Sum(std::vector<KernelTerm> terms) {
  return Checked({.kind = KernelKind::kSum, .terms = std::move(terms)});
}

void Kernel::Validate() const {
  const auto finite_positive = [](double v) { return std::isfinite(v) && v > 0; };
  if (!std::isfinite(bias) || bias < 0) throw InvalidArgument("kernel: bias must be >= 0");
  if (kind == KernelKind::kRbf && !finite_positive(gamma))
    throw InvalidArgument("RBF kernel: gamma must be > 0");
  if (kind == KernelKind::kPolynomial) {
    if (degree < 1 || degree > 64) throw InvalidArgument("polynomial kernel: degree must be in 1..64");
    if (!finite_positive(scale)) throw InvalidArgument("polynomial kernel: scale must be > 0");
    if (!std::isfinite(offset) || offset < 0) throw InvalidArgument("polynomial kernel: offset must be >= 0");
  }
  if ((kind == KernelKind::kFunction) != (function != nullptr))
    throw InvalidArgument("kernel: only a function kernel has a function");
  if ((kind == KernelKind::kSum) != !terms.empty())
    throw InvalidArgument("kernel: a sum kernel needs terms, other kernels must have none");
  for (const KernelTerm& term : terms) {
    if (term.kernel.kind == KernelKind::kSum || term.kernel.kind == KernelKind::kFunction)
      throw InvalidArgument("sum kernel: a term must not be a sum or a function");
    if (term.kernel.bias != 0) throw InvalidArgument("sum kernel: a term must not have a bias");
    if (!finite_positive(term.weight)) throw InvalidArgument("sum kernel: weights must be > 0");
    if (term.count == 0) throw InvalidArgument("sum kernel: a term needs at least 1 feature");
    term.kernel.Validate();
  }
}

std::string Kernel::Describe() const {
  std::ostringstream text;
  if (bias != 0) {
    Kernel plain = *this;
    plain.bias = 0;
    text << plain.Describe() << "; plus " << bias;
    return text.str();
  }
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
    case KernelKind::kFunction:
      return function->Describe();
    case KernelKind::kSum:
      for (const KernelTerm& term : terms) {
        text << (text.str().empty() ? "sum of " : "; ");
        if (term.weight != 1) text << term.weight << " times ";
        text << term.kernel.Describe() << " on features " << term.first << " to "
             << term.first + term.count - 1;
      }
      return text.str();
  }
  return {};
}

}  // namespace okbench
