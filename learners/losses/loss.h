#pragma once
// Loss: l(x, y, f) as a function of the scores f(x, .), after table 1 of svmd-2006.
//
// A loss has one score per class, or a single one (binary, novelty). Its gradient in function space is
// sum_r xi_r k((x, r), .) (eq. 30), its curvature (H - cI) v = sum_r chi_r k((x, r), .) (eqs. 44 to 47).
// Stateless, hence thread-safe.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "learners/core/examples.h"

namespace okbench {

struct LossValue {
  double loss = 0;
  bool mistake = false;       ///< the prediction is wrong; a score of exactly 0 counts as wrong
  bool margin_error = false;  ///< the example lies inside the margin
};

class Loss {
 public:
  virtual ~Loss() = default;
  /// Number of scores.
  virtual std::size_t outputs() const = 0;
  /// Loss and gradient coefficients xi (one per score) for label y. `margin` is the margin that the loss asks
  /// for (1, or the adapted epsilon of the nu-trick); losses without a margin ignore it.
  virtual LossValue Evaluate(std::span<const double> f, std::int32_t y, double margin,
                             std::span<double> xi) const = 0;
  /// Curvature coefficients chi for the function with values v at x; 0 for piecewise linear losses.
  virtual void Curvature(std::span<const double> f, std::int32_t y, std::span<const double> v,
                         std::span<double> chi) const;
  /// Whether Curvature can be different from 0.
  virtual bool curved() const { return false; }
};

/// A loss as the registry knows it.
struct LossInfo {
  std::string name;
  std::string equation;
  std::string paper;
  std::string labels;  ///< "binary", "multiclass" or "any"
  bool has_margin;     ///< takes part in the nu-trick
};

const std::vector<LossInfo>& Losses();

/// The loss of this name for data with these labels. Throws InvalidArgument for an unknown name or labels of
/// the wrong kind.
std::unique_ptr<Loss> MakeLoss(const std::string& name, LabelKind kind, int classes);

/// Whether the loss of this name has a margin.
bool LossHasMargin(const std::string& name);

}  // namespace okbench
