#pragma once
// The parameters of online SVMs, and what they will cost.

#include <cstddef>
#include <string>
#include <vector>

#include "learners/api/cost_model.h"
#include "learners/api/parameter_table.h"
#include "learners/bases/adaptive_margin.h"
#include "learners/core/examples.h"

namespace okbench {

/// The parameters that every online SVM has.
struct OnlineSvmOptions {
  std::string loss = "hinge";
  double eta0 = 1;  ///< initial step size
  double c = 0;
  std::size_t buffer = 512;
  double margin = 1;
  double nu = 0;  ///< 0: fixed margin
  AdaptiveMargin::Update margin_update = AdaptiveMargin::Update::kExponential;
  bool offset = false;
  bool tree_kernel = false;       ///< kappa of the label tree between outputs; else the identity
  bool subtract_dropped = false;  ///< dropped terms leave ||f||^2 and <f, v>
  /// Throws InvalidArgument when parameters contradict each other (nu with a loss that has no margin).
  void Validate() const;
};

/// Names and values of the losses' parameter.
Choices<std::string> LossChoices();

/// The shared part of a parameter table; `Options` derive from OnlineSvmOptions.
template <class Options>
ParameterTable<Options> OnlineSvmParameters() {
  ParameterTable<Options> table;
  table.Choice(&Options::loss, "loss", LossChoices(), "loss function, see okbench list losses")
      .Real(&Options::eta0, "eta0", "eta_0", Positive(), "", "initial step size")
      .Real(&Options::c, "c", "c (lambda in norma-2001)", NonNegative(), "",
            "regularisation constant of c/2 ||f||^2")
      .Integer(&Options::buffer, "buffer", "omega", {1, 100000000}, "support vectors",
               "circular buffer: keeps the last terms, overwrites the oldest")
      .Real(&Options::margin, "margin", "rho, eps, sigma", NonNegative(), "score",
            "margin, or width of the tube of regression; the initial one when nu > 0")
      .Real(&Options::nu, "nu", "nu", {0, 1}, "share of margin errors",
            "0: fixed margin; else margin or tube is adapted to this share (nu-trick)")
      .Choice(&Options::margin_update, "margin_update",
              {{"exponential", AdaptiveMargin::Update::kExponential},
               {"additive", AdaptiveMargin::Update::kAdditive}},
              "nu-trick: eps exp(-eta G) of svmd-2006, or rho - eta (e - nu) of norma-2001")
      .Choice(&Options::tree_kernel, "output_kernel", {{"identity", false}, {"tree", true}},
              "kernel between outputs: identity, or kappa of the label tree (eq. 66 of svmd-2006)")
      .Choice(&Options::subtract_dropped, "dropped", {{"ignored", false}, {"subtracted", true}},
              "terms that the buffer drops stay in ||f||^2 and <f, v>, as in the paper, or leave them")
      .Switch(&Options::offset, "offset", "adds an offset b to every score (eqs. 53 to 55 of svmd-2006)");
  return table;
}

/// n steps request at most sum_{t = 0..n-1} min(t, buffer) + n kernel evaluations.
Cost OnlineSvmCost(const OnlineSvmOptions& options, const Workload& work);

/// Of one loss or another.
inline const std::vector<LabelKind> kOnlineSvmLabels = {LabelKind::kBinary, LabelKind::kMulticlass,
                                                        LabelKind::kReal};

}  // namespace okbench
