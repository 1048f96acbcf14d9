#include "learners/api/learner_info.h"
#include "learners/structural_sfd/structural_sfd.h"

namespace okbench::structural_sfd {
namespace {

ParameterTable<Options> Parameters() {
  ParameterTable<Options> table;
  AddTaskParameters(table)
      .Choice(&Options::schedule, "schedule", ScheduleChoices(), kScheduleHelp)
      .Real(&Options::c, "c", "", Positive(), "", "constant of the schedule")
      .Real(&Options::exponent, "exponent", "a", {-100, 100}, "", "of c*t^exponent")
      .Switch(&Options::bounded_below, "bounded_below",
              "residual margins are at least 0 (section 3.3); false: no lower bound")
      .Choice(&Options::planes, "solver", {{"dual", false}, {"cutting-planes", true}},
              "of the update: its dual to `gap`, or the thesis' 1-slack cutting planes to `epsilon`")
      .Real(&Options::gap, "gap", "", {0, 1, true}, "share of the primal objective",
            "relative duality gap of the update in its dual")
      .Real(&Options::epsilon, "epsilon", "epsilon", {0, 1, true}, "loss", "tolerance of the cutting planes");
  return table;
}

Cost CostOf(const Options& /*options*/, const Workload& work) {
  Cost cost = MiniBatchCost(work, 0.4);
  const auto outputs = static_cast<double>(work.outputs);
  cost.multiply_adds *= outputs;
  cost.bytes += 8 * work.outputs * (work.training + 6 * work.batch);
  return cost;
}

}  // namespace

LearnerInfo Describe() {
  return DefineLearner<Protocol::kMiniBatches>(
      {.name = "structural-sfd",
       .title = "Structural SFD: stochastic functional descent over classes and label trees",
       .paper = "sfd-2013 ch. 3, OP3 and OP5",
       .update = "f <- f + argmin_u lambda_t/2 ||u||^2 + mean_i max_y [rho_iy + u(x_i, y) - u(x_i, y_i)]"},
      Parameters(), CostOf, Constructs<StructuralSfd>());
}

}  // namespace okbench::structural_sfd
