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
      .Switch(&Options::average, "average", "prediction with the average of the weights of all steps");
  DescribeTargetLoss(table);
  return table;
}

Cost CostOf(const Options& options, const Workload& work) {
  return RandomFeatureCost(work, options.features);
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
