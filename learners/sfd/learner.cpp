#include "learners/api/learner_info.h"
#include "learners/sfd/sfd.h"

namespace okbench::sfd {
namespace {

ParameterTable<Options> Parameters() {
  ParameterTable<Options> table;
  table.Choice(&Options::schedule, "schedule", ScheduleChoices(), kScheduleHelp)
      .Real(&Options::c, "c", "", Positive(), "", "constant of the schedule")
      .Real(&Options::exponent, "exponent", "a", {-100, 100}, "", "of c*t^exponent")
      .Real(&Options::rho_min, "rho_min", "", {-kLargestParameter, kLargestParameter}, "score",
            "lower bound of the residual margin (section 3.3)")
      .Switch(&Options::bounded_below, "bounded_below",
              "false: the residual margin has no lower bound, rho_min is not used")
      .Real(&Options::rho_max, "rho_max", "M", Positive(), "score", "upper bound of the residual margin")
      .Choice(&Options::planes, "solver", {{"coordinate", false}, {"cutting-planes", true}},
              "of the update: exact to `gap`, or the thesis' 1-slack cutting planes to `epsilon`")
      .Real(&Options::gap, "gap", "", {0, 1, true}, "share of the primal objective",
            "relative duality gap of the update, coordinate ascent")
      .Real(&Options::epsilon, "epsilon", "epsilon", {0, 1, true}, "loss", "tolerance of the cutting planes");
  return table;
}

// Of Adult, IJCNN and Web, about.
Cost CostOf(const Options& /*options*/, const Workload& work) { return MiniBatchCost(work, 0.4); }

}  // namespace

LearnerInfo Describe() {
  return DefineLearner<Protocol::kMiniBatches>(
      {.name = "sfd",
       .title = "SFD: stochastic functional descent",
       .paper = "sfd-2013 ch. 3 and 5.1",
       .update =
           "f <- f + argmin_u lambda_t/2 ||u||^2 + mean_i max(0, rho_i - y_i u(x_i)) on each mini-batch"},
      Parameters(), CostOf, Constructs<Sfd>());
}

}  // namespace okbench::sfd
