#include "learners/api/learner_info.h"
#include "learners/methods/fogd/fogd.h"

namespace okbench::fogd {
namespace {

ParameterTable<Options> Parameters() {
  ParameterTable<Options> table;
  table
      .Integer(&Options::features, "features", "D", {1, 1000000}, "frequencies",
               "random frequencies; each gives a cosine and a sine")
      .Real(&Options::eta, "eta", "eta", Positive(), "", "step size")
      .Switch(&Options::average, "average",
              "average of all weights for tests and predictions; steps use the last weights");
  AddTargetLossParameters(table);
  return table;
}

Cost CostOf(const Options& options, const Workload& work) {
  Cost cost = RandomFeatureCost(work, options.features);
  if (!options.average) return cost;
  // The sum of s d_s, and a copy of the weights for tests.
  const std::uint64_t coordinates = 2 * options.features * work.outputs;
  cost.bytes += 2 * sizeof(double) * coordinates;
  cost.multiply_adds += static_cast<double>(work.examples) * static_cast<double>(coordinates);
  return cost;
}

}  // namespace

LearnerInfo Describe() {
  return DefineLearner<Protocol::kStream>(
      {.name = "fogd",
       .title = "Fourier online gradient descent: a linear model over random Fourier features",
       .paper = "Lu et al. 2016",
       .weights = true,
       .labels = {LabelKind::kBinary, LabelKind::kMulticlass, LabelKind::kReal},
       .update = "w <- w + eta y z(x) when y w'z(x) < 1, z(x) = (cos u'x, sin u'x) / sqrt(D)",
       .random = true,
       .estimator = {.name = "FOGD"}},
      Parameters(), CostOf, Constructs<Fogd>());
}

}  // namespace okbench::fogd
