#include "learners/api/learner_info.h"
#include "learners/methods/bcfw/bcfw.h"

namespace okbench::bcfw {

ParameterTable<Options> Parameters() {
  ParameterTable<Options> table;
  AddTrainingRowsParameters(table)
      .Real(&Options::tolerance, "tolerance", "", {0, 1, true}, "share of the primal objective",
            "duality gap at which training stops")
      .Replaces("gap");
  return table;
}

LearnerInfo Describe() {
  return DefineLearner<Protocol::kSelection>(
      {.name = "bcfw",
       .title = "BCFW: block-coordinate Frank-Wolfe for the structural SVM",
       .paper = "Lacoste-Julien et al. 2013; OP1 of sfd-2013",
       .weights = true,
       .labels = {LabelKind::kBinary, LabelKind::kMulticlass},
       .update = "a_i <- a_i + gamma (C e_y^ - a_i), y^ = arg max_y Delta + f(x_i, y), exact line search",
       .random = true,
       .estimator = {.name = "BCFW", .epochs = 100},
       .tolerance = true},
      Parameters(),
      [](const Options& options, const Workload& work) {
        // Factor 0.5: training stops at the gap, and most coefficients of a sum are 0.
        return TrainingRowsCost(work, options.cache_mib, 0.5);
      },
      Constructs<Bcfw>());
}

}  // namespace okbench::bcfw
