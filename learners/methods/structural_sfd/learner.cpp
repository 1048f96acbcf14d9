#include "learners/api/learner_info.h"
#include "learners/methods/structural_sfd/structural_sfd.h"

namespace okbench::structural_sfd {
namespace {

Cost CostOf(const Options& options, const Workload& work) {
  Cost cost = MiniBatchCost(work, 0.4);
  const auto outputs = static_cast<double>(work.outputs);
  cost.multiply_adds *= outputs;
  if (options.importance) {
    cost.requested = work.examples * (work.training + work.batch);
    cost.computed = 0.6 * static_cast<double>(work.examples) * static_cast<double>(work.training);
  }
  cost.bytes += 8 * work.outputs * (work.training + 6 * work.batch);
  return cost;
}

}  // namespace

ParameterTable<Options> Parameters() {
  ParameterTable<Options> table;
  AddDescentParameters(AddTaskParameters(table), "dual")
      .Choice(&Options::importance, "draw", {{"given", false}, {"importance", true}},
              "examples of a round: from data.order, or drawn with weights max_y rho_iy (section 3.3)");
  return table;
}

LearnerInfo Describe() {
  return DefineLearner<Protocol::kMiniBatches>(
      {.name = "structural-sfd",
       .title = "Structural SFD: stochastic functional descent over classes and label trees",
       .paper = "sfd-2013 ch. 3, OP3 and OP5",
       .weights = true,
       .labels = {LabelKind::kBinary, LabelKind::kMulticlass},
       .update = "f <- f + argmin_u lambda_t/2 ||u||^2 + mean_i max_y [rho_iy + u(x_i, y) - u(x_i, y_i)]",
       .random = true,
       .estimator = {.name = "StructuralSFD", .epochs = 5, .batch = 10},
       .revision = 2},
      Parameters(), CostOf, Constructs<StructuralSfd>());
}

}  // namespace okbench::structural_sfd
