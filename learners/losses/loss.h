#pragma once
// Loss: l(x, y, f) as a function of the scores f(x, .), after table 1 of svmd-2006.
//
// A loss takes one score per class, or a single score (binary, novelty, regression). Its gradient in function
// space is sum_r xi_r k((x, r), .) (eq. 30). Its curvature is (H - cI) v = sum_r chi_r k((x, r), .) (eqs. 44
// to 47). Stateless and thread-safe.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "learners/core/examples.h"
#include "learners/outputs/label_graph.h"
#include "learners/outputs/label_tree.h"

namespace okbench {

struct LossValue {
  double loss = 0;
  bool mistake = false;       ///< wrong prediction; a score of exactly 0 is wrong
  bool margin_error = false;  ///< example inside the margin, or outside the tube of regression
  /// Distance Delta(y, y*) of eq. 28 that scales the margin; 1 for losses without label distances.
  double distance = 1;
  /// Distance inside the margin (rho - y f) or outside the tube (|y - f| - eps), for ranking examples.
  /// Negative on the correct side. Losses with neither use -y f, the loss, or |y - f|.
  double violation = 0;
  /// e of the nu-trick: the derivative of the adapted loss with respect to the margin is e - nu.
  double e() const { return margin_error ? distance : 0; }
};

class Loss {
 public:
  virtual ~Loss() = default;
  /// Number of scores.
  virtual std::size_t outputs() const = 0;
  /// Computes the loss and the gradient coefficients xi, one per score. `y` is a label (-1 or +1), a class
  /// index or a real target. `margin` is the margin, or the width of the tube; losses without either ignore
  /// it.
  virtual LossValue Evaluate(std::span<const double> f, double y, double margin,
                             std::span<double> xi) const = 0;
  /// Computes the curvature coefficients chi for a function with values v at x; 0 for piecewise linear
  /// losses.
  virtual void Curvature(std::span<const double> f, double y, double margin, std::span<const double> v,
                         std::span<double> chi) const;
  /// Whether the curvature can differ from 0.
  virtual bool curved() const { return false; }
};

/// Parameter of a loss that the nu-trick adapts.
enum class LossParameter {
  kNone,
  kMargin,  ///< rho: examples inside the margin are errors
  kTube,    ///< eps or sigma: examples outside the tube are errors
};

/// Registry entry of a loss.
struct LossInfo {
  std::string name;
  std::string equation;
  std::string paper;
  std::string labels;  ///< "binary", "multiclass", "real" or "any"
  LossParameter parameter;
  double slope;                  ///< largest norm of xi; infinite if the derivative is unbounded
  bool one_class = false;        ///< ignores labels: estimates a set that holds most examples
  bool pair_gradient = false;    ///< at most two entries of xi are not 0
  bool divides_by_tube = false;  ///< requires a tube width > 0
  bool log_likelihood = false;   ///< -log P(y): scores are log odds, or exponents of a softmax
  int revision = 1;              ///< see LearnerDescription::revision
};

/// Returns all losses.
const std::vector<LossInfo>& Losses();

/// Returns the loss of this name. Throws InvalidArgument, naming the nearest one, if there is none.
const LossInfo& FindLoss(const std::string& name);

/// Throws InvalidArgument for an unknown loss, or for labels that the loss does not support.
void RequireLossLabels(const std::string& name, LabelKind have);

/// Builds the loss of this name for data with these labels. Throws InvalidArgument for an unknown name,
/// unsupported labels, or a missing label tree or graph.
std::unique_ptr<Loss> MakeLoss(const std::string& name, LabelKind kind, int classes,
                               const LabelTree* tree = nullptr, const LabelGraph* graph = nullptr);

}  // namespace okbench
