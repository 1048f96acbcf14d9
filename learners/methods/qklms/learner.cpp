#include "learners/methods/qklms/qklms.h"

namespace okbench::qklms {
namespace {

// Typical share of examples that become centers.
constexpr double kAdded = 0.1;

Cost CostOf(const Options& options, const Workload& work) {
  return FunctionSetCost(work, kAdded, options.budget, 1 / kAdded, 0);
}

}  // namespace

LearnerInfo Describe() {
  ParameterTable<Options> table;
  table.Real(&Options::eta, "eta", "eta", Positive(), "", "step size")
      .Real(&Options::epsilon, "epsilon", "epsilon", NonNegative(), "distance of inputs",
            "quantization size: a center within this distance of the example takes its step")
      .Integer(&Options::budget, "budget", "B", {0, 1e6}, "support vectors",
               "maximum number of centers; 0: no limit")
      .Choice(&Options::ignore, "full", {{"nearest", false}, {"ignore", true}},
              "far example and a full budget: the nearest center takes its step, or nothing changes");
  return DefineOneVsRest<Method>({.name = "qklms",
                                  .title = "QKLMS: quantized kernel least mean squares",
                                  .paper = "Chen, Zhao, Zhu and Principe 2012",
                                  .weights = true,
                                  .labels = {LabelKind::kReal},
                                  .update = "alpha of the nearest center within epsilon, else of x as a new "
                                            "center, grows by eta (y - f(x))",
                                  .estimator = {.name = "QKLMS"}},
                                 table, CostOf);
}

}  // namespace okbench::qklms
