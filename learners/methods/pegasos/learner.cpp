#include "learners/api/learner_info.h"
#include "learners/methods/pegasos/pegasos.h"

namespace okbench::pegasos {
namespace {

ParameterTable<Options> Parameters() {
  ParameterTable<Options> table;
  table
      .Real(&Options::lambda, "lambda", "lambda", Positive(), "",
            "regulariser: lambda/2 ||f||^2 + mean hinge loss")
      .Switch(&Options::projection, "projection", "after each step onto the ball ||f|| <= 1/sqrt(lambda)")
      .Choice(&Options::average, "average", {{"none", false}, {"polynomial-decay", true}},
              "what predicts: f (Pegasos1), or its average (Pegasos2)")
      .Real(&Options::decay, "decay", "d", {0, 1e6, true}, "", "of the average: rho_t = d/(t + d + 1)");
  return table;
}

// A quarter of Adult, IJCNN and Web, about.
Cost CostOf(const Options& /*options*/, const Workload& work) {
  Cost cost = MiniBatchCost(work, 0.25);
  cost.changes = cost.vectors;
  return cost;
}

}  // namespace

LearnerInfo Describe() {
  return DefineLearner<Protocol::kMiniBatches>(
      {.name = "pegasos",
       .title = "Pegasos: stochastic subgradient descent on the SVM's objective",
       .paper = "sfd-2013 sec. 5.1.3; Shalev-Shwartz et al. 2011",
       .labels = {LabelKind::kBinary},
       .update = "f <- (1 - 1/t) f + 1/(lambda t k) sum of y_i k(x_i,.) over margin violators; projection",
       .estimator = {.epochs = 5, .batch = 10}},
      Parameters(), CostOf, Constructs<Pegasos>());
}

}  // namespace okbench::pegasos
