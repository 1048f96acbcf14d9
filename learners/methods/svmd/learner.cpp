#include "learners/methods/svmd/svmd.h"

namespace okbench::svmd {
namespace {

ParameterTable<Options> Parameters() {
  auto table = OnlineSvmParameters<Options>();
  table.Real(&Options::mu, "mu", "mu", NonNegative(), "", "meta-step size (eq. 36)")
      .Real(&Options::trace_decay, "trace_decay", "lambda", {0, 1}, "",
            "decay of the gradient trace v (eq. 37); 0: single-step variant")
      .Replaces("lambda")
      .Real(&Options::eta_margin0, "eta_margin0", "eta_eps,0", Positive(), "",
            "initial step size of the nu-trick (mu and trace_decay are shared)")
      .Choice(&Options::factor, "factor",
              {{"bi-linear", Factor::kLinear},
               {"quadratic", Factor::kQuadratic},
               {"exponential", Factor::kExponential}},
              "factor of a step size: max(1/2, 1 + a), its quadratic form, or exp(a); a = -mu u (eq. 4)")
      .Switch(&Options::adapt_margin, "adapt_margin",
              "adaptation of the nu-trick's step size; false: constant eta_margin0");
  return table;
}

}  // namespace

LearnerInfo Describe() {
  return DefineLearner<Protocol::kStream>(
      {.name = "svmd",
       .title = "SVMD, the online SVM with step size adaptation by stochastic meta-descent",
       .paper = "svmd-2006 sec. 5",
       .weights = true,
       .labels = kOnlineSvmLabels,
       .update = "eta_t = eta_{t-1} max(1/2, 1 - mu <g_t, v_t>); v <- lambda v - eta_t (g_t + lambda H_t v)",
       .estimator = {.name = "SVMD"}},
      Parameters(), OnlineSvmCost, []<class T>(const Options& options, const LearnerContext<T>& context) {
        const MetaDescent step(options.eta0, options.mu, options.trace_decay, options.eta_margin0,
                               options.factor, options.adapt_margin);
        return MakeOnlineSvm<T>(options, step, context);
      });
}

}  // namespace okbench::svmd
