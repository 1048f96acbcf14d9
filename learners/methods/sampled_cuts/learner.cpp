#include "learners/api/learner_info.h"
#include "learners/methods/sampled_cuts/sampled_cuts.h"

namespace okbench::sampled_cuts {
namespace {

ParameterTable<Options> Parameters() {
  ParameterTable<Options> table;
  table
      .Real(&Options::lambda, "lambda", "lambda", Positive(), "",
            "regulariser: lambda/2 ||f||^2 + mean hinge loss")
      .Real(&Options::tolerance, "tolerance", "epsilon", {0, 1, true}, "loss",
            "excess of the loss over the planes' slack at which training stops")
      .Replaces("epsilon");
  return table;
}

// Every round requests the scores of the training set. Assumes that a fifth of it are support vectors.
Cost CostOf(const Options& /*options*/, const Workload& work) {
  const std::uint64_t rounds = work.batch > 0 ? work.examples / work.batch : work.examples;
  Cost cost;
  cost.requested = rounds * work.training * (work.training / 5);
  const auto training = static_cast<double>(work.training);
  cost.vectors = training / 4;
  // One row over the training set per drawn violator; nearly all drawn examples violate. Every round sums all
  // planes.
  cost.computed = 0.9 * static_cast<double>(work.examples) * training;
  cost.streamed_bytes = static_cast<double>(rounds) * static_cast<double>(rounds) / 2 * 8 * training;
  cost.incremental_scores = true;
  cost.bytes = work.training * (work.row_bytes + 8 * rounds + 64);
  return cost;
}

}  // namespace

LearnerInfo Describe() {
  return DefineLearner<Protocol::kSelection>(
      {.name = "sampled-cuts",
       .title = "SampledCuts: 1-slack cutting planes from sampled violators",
       .paper = "sfd-2013 sec. 5.1.3; Yu and Joachims 2008",
       .weights = true,
       .labels = {LabelKind::kBinary},
       .update =
           "classify the training set, draw violators for a new cutting plane, solve the planes' program",
       .random = true,
       .estimator = {.epochs = 100, .batch = 100},
       .tolerance = true,
       .revision = 2},
      Parameters(), CostOf, Constructs<SampledCuts>());
}

}  // namespace okbench::sampled_cuts
