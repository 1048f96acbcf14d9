#include <algorithm>
#include <cstdint>

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

// A run converges after some hundred rounds, and planes without weight for 50 rounds are dropped: 81 to 523
// rounds and at most 157 planes in runs on Adult and IJCNN with 1 to 300 violators a plane.
constexpr std::uint64_t kTypicalRounds = 500;
constexpr std::uint64_t kTypicalPlanes = 150;

// Every round requests the scores of the training set. Assumes that a fifth of it are support vectors.
Cost CostOf(const Options& /*options*/, const Workload& work) {
  const std::uint64_t batch = std::max<std::uint64_t>(1, work.batch);
  const std::uint64_t most = work.examples / batch;
  const std::uint64_t rounds = std::min(most, kTypicalRounds);
  Cost cost;
  cost.requested = rounds * work.training * (work.training / 5);
  const auto training = static_cast<double>(work.training);
  cost.vectors = std::min(training / 4, static_cast<double>(rounds * batch));
  // One row over the training set per drawn violator; nearly all drawn examples violate. Every round sums all
  // planes.
  cost.computed = 0.9 * static_cast<double>(rounds * batch) * training;
  cost.streamed_bytes = static_cast<double>(rounds * std::min(rounds / 2, kTypicalPlanes)) * 8 * training;
  cost.incremental_scores = true;
  cost.bytes = work.training * (work.row_bytes + 8 * most + 64);
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
