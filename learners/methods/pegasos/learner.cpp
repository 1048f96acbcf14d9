#include "learners/api/learner_info.h"
#include "learners/methods/pegasos/pegasos.h"

namespace okbench::pegasos {
namespace {

ParameterTable<Options> Parameters() {
  ParameterTable<Options> table;
  table
      .Real(&Options::lambda, "lambda", "lambda", Positive(), "",
            "regulariser: lambda/2 ||f||^2 + mean hinge loss")
      .Switch(&Options::projection, "projection",
              "projection onto the ball ||f|| <= 1/sqrt(lambda) after each step")
      .Choice(&Options::average, "average", {{"none", false}, {"polynomial-decay", true}},
              "average used for prediction: none (Pegasos1) or decaying (Pegasos2)")
      .Real(&Options::decay, "decay", "d", {0, 1e6, true}, "", "decay of the average: rho_t = d/(t + d + 1)");
  return table;
}

// About a quarter of the examples become support vectors (Adult, IJCNN, Web).
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
       .weights = true,
       .labels = {LabelKind::kBinary},
       .update = "f <- (1 - 1/t) f + 1/(lambda t k) sum of y_i k(x_i,.) over margin violators; projection",
       .estimator = {.epochs = 5, .batch = 10}},
      Parameters(), CostOf, Constructs<Pegasos>());
}

}  // namespace okbench::pegasos
