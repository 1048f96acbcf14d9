#include "learners/api/learner_info.h"
#include "learners/methods/sfd/sfd.h"

namespace okbench::sfd {
namespace {

ParameterTable<Options> Parameters() {
  ParameterTable<Options> table;
  AddDescentParameters(table, "coordinate")
      .Real(&Options::rho_min, "rho_min", "", {-kLargestParameter, kLargestParameter}, "score",
            "lower bound of the residual margin (section 3.3)")
      .Real(&Options::rho_max, "rho_max", "M", Positive(), "score", "upper bound of the residual margin")
      .Choice(&Options::importance, "draw", {{"given", false}, {"importance", true}},
              "examples of a round: from data.order, or drawn with weights rho_i (section 3.3)");
  return table;
}

// Typical share of support vectors: 0.4 (Adult, IJCNN, Web).
Cost CostOf(const Options& options, const Workload& work) {
  Cost cost = MiniBatchCost(work, 0.4);
  if (!options.importance) return cost;
  // Rows over the whole training set replace the scores over the support vectors.
  cost.requested = work.examples * (work.training + work.batch);
  cost.computed = 0.6 * static_cast<double>(work.examples) * static_cast<double>(work.training);
  return cost;
}

}  // namespace

LearnerInfo Describe() {
  return DefineLearner<Protocol::kMiniBatches>(
      {.name = "sfd",
       .title = "SFD: stochastic functional descent",
       .paper = "sfd-2013 ch. 3 and 5.1",
       .weights = true,
       .labels = {LabelKind::kBinary},
       .update =
           "f <- f + argmin_u lambda_t/2 ||u||^2 + mean_i max(0, rho_i - y_i u(x_i)) on each mini-batch",
       .random = true,
       .estimator = {.name = "SFD", .epochs = 5, .batch = 10},
       .revision = 2},
      Parameters(), CostOf, Constructs<Sfd>());
}

}  // namespace okbench::sfd
