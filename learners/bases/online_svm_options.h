#pragma once
// Parameters and cost model of online SVMs.

#include <cstddef>
#include <string>
#include <vector>

#include "learners/api/cost_model.h"
#include "learners/api/parameter_table.h"
#include "learners/bases/adaptive_margin.h"
#include "learners/core/examples.h"

namespace okbench {

/// Parameters of every online SVM.
struct OnlineSvmOptions {
  std::string loss = "hinge";  ///< name of a loss (Losses())
  double eta0 = 1;             ///< initial step size, > 0
  double c = 0;                ///< regularisation constant of c/2 ||f||^2, >= 0
  std::size_t buffer = 512;    ///< capacity of the buffer, in support vectors, >= 1
  double margin = 1;           ///< margin or tube width, initial value if nu > 0; >= 0
  double nu = 0;               ///< share of margin errors, in [0, 1); 0: fixed margin
  AdaptiveMargin::Update margin_update = AdaptiveMargin::Update::kExponential;
  bool offset = false;            ///< add an offset b to every score
  bool tree_kernel = false;       ///< output kernel: kappa of the label tree; else the identity
  bool remove_smallest = false;   ///< a full buffer drops the smallest term instead of the oldest
  bool subtract_dropped = false;  ///< subtract dropped terms from ||f||^2 and <f, v>
  /// Throws InvalidArgument for contradictory parameters, e.g. nu > 0 with a loss without a margin.
  void Validate() const;
};

/// Choices of the parameter `loss`.
Choices<std::string> LossChoices();

/// Table of the parameters of every online SVM. REQUIRES: `Options` derives from OnlineSvmOptions.
template <class Options>
ParameterTable<Options> OnlineSvmParameters() {
  ParameterTable<Options> table;
  table.Choice(&Options::loss, "loss", LossChoices(), "loss function, see okbench help losses")
      .Real(&Options::eta0, "eta0", "eta_0", Positive(), "", "initial step size")
      .Real(&Options::c, "c", "c (lambda in norma-2001)", NonNegative(), "",
            "regularisation constant of c/2 ||f||^2")
      .Integer(&Options::buffer, "buffer", "omega", {1, 100000000}, "support vectors",
               "size of the buffer of terms")
      .Choice(&Options::remove_smallest, "removal", {{"oldest", false}, {"smallest", true}},
              "term that a full buffer drops: the oldest, or the one with the least sum of squared alpha")
      .Real(&Options::margin, "margin", "rho, eps, sigma", NonNegative(), "score",
            "margin, or tube width in regression; the initial value if nu > 0")
      .Real(&Options::nu, "nu", "nu", {0, 1}, "share of margin errors",
            "0: fixed margin; otherwise adapt margin or tube to this share (nu-trick)")
      .Choice(&Options::margin_update, "margin_update",
              {{"exponential", AdaptiveMargin::Update::kExponential},
               {"additive", AdaptiveMargin::Update::kAdditive}},
              "nu-trick: eps exp(-eta G) of svmd-2006, or rho - eta (e - nu) of norma-2001")
      .Choice(&Options::tree_kernel, "output_kernel", {{"identity", false}, {"tree", true}},
              "kernel between outputs: identity, or kappa of the label tree (eq. 66 of svmd-2006)")
      .Choice(&Options::subtract_dropped, "dropped_terms", {{"ignored", false}, {"subtracted", true}},
              "keep dropped terms in ||f||^2 and <f, v> (as in the paper), or subtract them")
      .Replaces("dropped")
      .Switch(&Options::offset, "offset", "add an offset b to every score (eqs. 53 to 55 of svmd-2006)");
  return table;
}

/// Cost model. n steps request at most sum_{t = 0..n-1} min(t, buffer) + n kernel evaluations.
Cost OnlineSvmCost(const OnlineSvmOptions& options, const Workload& work);

/// Label kinds supported by at least one loss.
inline const std::vector<LabelKind> kOnlineSvmLabels = {LabelKind::kBinary, LabelKind::kMulticlass,
                                                        LabelKind::kReal};

}  // namespace okbench
