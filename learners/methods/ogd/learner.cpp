#include "learners/methods/ogd/ogd.h"

namespace okbench::ogd {

// Typical share of examples that become support vectors (Adult, IJCNN1, USPS).
constexpr double kShare = 0.4;

LearnerInfo Describe() {
  ParameterTable<Options> table;
  table.Real(&Options::eta, "eta", "eta", Positive(), "", "step size");
  return DefineOneVsRest<Method>(
      {.name = "ogd",
       .title = "Kernel online gradient descent on the hinge loss",
       .paper = "Kivinen et al. 2004; Lu et al. 2016",
       .weights = true,
       .labels = {},
       .update = "f <- f + eta y k(x, .) when y f(x) < 1",
       .estimator = {.name = "KernelOGD"}},
      table, [](const Options&, const Workload& work) { return FunctionSetCost(work, kShare, 0, 0, 0); });
}

}  // namespace okbench::ogd
