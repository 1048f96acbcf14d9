#include "learners/api/learner_info.h"
#include "learners/bases/linear_model.h"
#include "learners/methods/liblinear/liblinear.h"

namespace okbench::liblinear {
namespace {

ParameterTable<Options> Parameters() {
  ParameterTable<Options> table;
  AddRegulariser(table).Real(&Options::tolerance, "tolerance", "eps", {0, 1, true}, "score",
                             "violation of the dual's optimality conditions at which to stop");
  return table;
}

// Assumes 200 passes until convergence. Memory: the rows twice, as Problem and as LIBLINEAR's nodes.
Cost CostOf(const Options& /*options*/, const Workload& work) {
  Cost cost = LinearCost(work, 200);
  cost.bytes += static_cast<std::uint64_t>(work.entries * 32) * work.examples;
  return cost;
}

}  // namespace

LearnerInfo Describe() {
  return DefineLearner<Protocol::kSolver>(
      {.name = "liblinear",
       .title = "LIBLINEAR: batch linear SVM, the optimum for online linear SVMs",
       .paper = "linear-2010 eq. 1; Fan et al. 2008",
       .labels = {LabelKind::kBinary},
       .update = "w = argmin lambda/2 ||w||^2 + mean hinge loss, by dual coordinate descent",
       .linear = true,
       .library = "LIBLINEAR",
       .estimator = {.name = "LibLinear"},
       .tolerance = true},
      Parameters(), CostOf, Constructs<Liblinear>());
}

}  // namespace okbench::liblinear
