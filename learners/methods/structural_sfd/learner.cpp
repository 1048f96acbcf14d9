#include "learners/api/learner_info.h"
#include "learners/boxes/box_learner.h"
#include "learners/boxes/box_sfd.h"
#include "learners/methods/structural_sfd/structural_sfd.h"

namespace okbench::structural_sfd {
namespace {

ParameterTable<Options> Parameters() {
  ParameterTable<Options> table;
  AddDescentParameters(AddTaskParameters(table), "dual");
  return table;
}

// The planes of an update, each of which scores all boxes of its images (cows, faces, VOC 2007).
constexpr double kBoxFunctions = 50;

Cost CostOf(const Options& /*options*/, const Workload& work) {
  if (work.boxes > 0) return BoxCost(work, kBoxFunctions);
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
       .labels = {LabelKind::kBinary, LabelKind::kMulticlass, LabelKind::kBoxes},
       .update = "f <- f + argmin_u lambda_t/2 ||u||^2 + mean_i max_y [rho_iy + u(x_i, y) - u(x_i, y_i)]",
       .estimator = {.name = "StructuralSFD", .epochs = 5, .batch = 10},
       .revision = 2},
      Parameters(), CostOf, ConstructsFor<StructuralSfd, BoxSfd>());
}

}  // namespace okbench::structural_sfd
