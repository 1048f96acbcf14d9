#include "learners/api/learner_info.h"
#include "learners/bases/linear_model.h"
#include "learners/methods/linear/linear.h"

namespace okbench::linear {
namespace {

ParameterTable<Options> Parameters() {
  ParameterTable<Options> table;
  AddRegulariser(table)
      .Choice(&Options::schedule, "schedule",
              {{"1/(lambda t)", Schedule::kInverse}, {"eta0/sqrt(t)", Schedule::kInverseRoot}},
              "step size; eta0/sqrt(t) is at most 1/lambda")
      .Real(&Options::eta0, "eta0", "eta_0", Positive(), "", "constant of eta0/sqrt(t)")
      .Switch(&Options::projection, "projection",
              "projection onto the ball ||w|| <= 1/sqrt(lambda) after each step")
      .Switch(&Options::average, "average", "prediction with the average of all w")
      .Real(&Options::decay, "decay", "d", {0, 10}, "",
            "decay of the average: rho_t = (d + 1)/(t + d); 0 is the mean");
  return table;
}

// Two passes over each example: a dot product and an update.
Cost CostOf(const Options& /*options*/, const Workload& work) { return LinearCost(work, 2); }

}  // namespace

LearnerInfo Describe() {
  return DefineLearner<Protocol::kMiniBatches>(
      {.name = "linear",
       .title = "Linear online SVM: stochastic subgradient descent with steps 1/(lambda t) or eta0/sqrt(t)",
       .paper = "linear-2010 algorithm 1",
       .weights = true,
       .labels = {LabelKind::kBinary},
       .update = "w <- (1 - 1/t) w + 1/(lambda t k) sum of y_i x_i over margin violators; projection",
       .linear = true,
       .estimator = {.name = "LinearOnlineSVM", .epochs = 5, .batch = 10},
       .revision = 3},
      Parameters(), CostOf, Constructs<LinearSvm>());
}

}  // namespace okbench::linear
