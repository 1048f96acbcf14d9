#include "learners/api/learner_info.h"
#include "learners/boxes/box_learner.h"
#include "learners/methods/bcfw/bcfw.h"
#include "learners/boxes/box_bcfw.h"

namespace okbench::bcfw {
namespace {

ParameterTable<Options> Parameters() {
  ParameterTable<Options> table;
  AddTrainingRowsParameters(table).Real(&Options::gap, "gap", "", {0, 1, true},
                                        "share of the primal objective", "duality gap to reach");
  return table;
}

}  // namespace

LearnerInfo Describe() {
  return DefineLearner<Protocol::kSelection>(
      {.name = "bcfw",
       .title = "BCFW: block-coordinate Frank-Wolfe for the structural SVM",
       .paper = "Lacoste-Julien et al. 2013; OP1 of sfd-2013",
       .labels = {LabelKind::kBinary, LabelKind::kMulticlass, LabelKind::kBoxes},
       .update = "a_i <- a_i + gamma (C e_y^ - a_i), y^ = arg max_y Delta + f(x_i, y), exact line search",
       .estimator = {.name = "BCFW", .epochs = 100}},
      Parameters(),
      [](const Options& options, const Workload& work) {
        if (work.boxes > 0) return BoxCost(work, 2);
        // It stops at its gap, and most coefficients of a sum are 0.
        return TrainingRowsCost(work, options.cache_mib, 0.5);
      },
      ConstructsFor<Bcfw, BoxBcfw>());
}

}  // namespace okbench::bcfw
