#include "learners/api/learner_info.h"
#include "learners/methods/hindsight/hindsight.h"

namespace okbench::hindsight {
namespace {

ParameterTable<Options> Parameters() {
  ParameterTable<Options> table;
  table.Real(&Options::c, "c", "lambda", Positive(), "", "regulariser: c/2 ||g||^2 + mean loss")
      .Real(&Options::margin, "margin", "rho", Positive(), "score", "margin of the loss")
      .Real(&Options::tolerance, "tolerance", "", {0, 1, true}, "share of the objective",
            "duality gap at which the solver stops");
  return table;
}

Cost CostOf(const Options& /*options*/, const Workload& work) {
  Cost cost;
  cost.requested = work.training * (work.training + 1) / 2;
  const auto n = static_cast<double>(work.training);
  cost.vectors = 0.8 * n;
  cost.computed = n * n;
  cost.streamed_bytes = 40 * n * n * static_cast<double>(work.value_bytes);  // 40 passes of the solver
  cost.bytes = work.training * (work.training * work.value_bytes + 2 * work.row_bytes + 128);
  return cost;
}

}  // namespace

LearnerInfo Describe() {
  return DefineLearner<Protocol::kStream>(
      {.name = "hindsight",
       .title = "Best fixed hypothesis in hindsight, the comparator for regret",
       .paper = "norma-2001 sec. 4",
       .weights = true,
       .labels = {LabelKind::kBinary},
       .update = "none; g = argmin c/2 ||g||^2 + mean soft margin loss over the training part"},
      Parameters(), CostOf, Constructs<Hindsight>());
}

}  // namespace okbench::hindsight
