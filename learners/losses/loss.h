#pragma once
// Loss: l(x, y, f) as a function of the scores f(x, .), after table 1 of svmd-2006.
//
// A loss has one score per class, or a single one (binary, novelty, regression). Its gradient in function
// space is sum_r xi_r k((x, r), .) (eq. 30), its curvature (H - cI) v = sum_r chi_r k((x, r), .) (eqs. 44 to
// 47).
// Stateless, hence thread-safe.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "learners/core/examples.h"
#include "learners/outputs/label_tree.h"

namespace okbench {

struct LossValue {
  double loss = 0;
  bool mistake = false;       ///< the prediction is wrong; a score of exactly 0 counts as wrong
  bool margin_error = false;  ///< the example lies inside the margin, or outside the tube of regression
  /// Of a margin error: how much of the margin it asks for, Delta(y, y*) of eq. 28; 1 without distances.
  double distance = 1;
  /// How far inside the margin (rho - y f), or outside the tube (|y - f| - eps): ranks examples, and is
  /// negative for those on the good side. -y f, the loss, or |y - f| where there is neither.
  double violation = 0;
  /// e of the nu-trick, whose derivative of the loss by the margin is e - nu.
  double e() const { return margin_error ? distance : 0; }
};

class Loss {
 public:
  virtual ~Loss() = default;
  /// Number of scores.
  virtual std::size_t outputs() const = 0;
  /// Loss and gradient coefficients xi (one per score) for the label (-1 or +1, a class index) or the real
  /// target y. `margin` is the margin that the loss asks for, or the width of its tube (1, or what the
  /// nu-trick has adapted); losses with neither ignore it.
  virtual LossValue Evaluate(std::span<const double> f, double y, double margin,
                             std::span<double> xi) const = 0;
  /// Curvature coefficients chi for the function with values v at x; 0 for piecewise linear losses.
  virtual void Curvature(std::span<const double> f, double y, double margin, std::span<const double> v,
                         std::span<double> chi) const;
  /// Whether Curvature can be different from 0.
  virtual bool curved() const { return false; }
};

/// What the nu-trick adapts.
enum class LossParameter {
  kNone,
  kMargin,  ///< rho: examples inside it are errors
  kTube,    ///< eps or sigma: examples outside it are errors
};

/// A loss as the registry knows it.
struct LossInfo {
  std::string name;
  std::string equation;
  std::string paper;
  std::string labels;  ///< "binary", "multiclass", "real" or "any"
  LossParameter parameter;
  double slope;      ///< largest norm of xi; infinite when the loss has no bounded derivative
  int revision = 1;  ///< as LearnerAbout::revision
};

const std::vector<LossInfo>& Losses();

/// Throws InvalidArgument, naming the nearest one, when there is no loss of this name.
const LossInfo& FindLoss(const std::string& name);

/// Throws InvalidArgument for an unknown loss, or labels of the wrong kind.
void RequireLossLabels(const std::string& name, LabelKind have);

/// The loss of this name for data with these labels. Throws InvalidArgument for an unknown name or labels of
/// the wrong kind, or one that needs a tree where there is none.
std::unique_ptr<Loss> MakeLoss(const std::string& name, LabelKind kind, int classes,
                               const LabelTree* tree = nullptr);

}  // namespace okbench
