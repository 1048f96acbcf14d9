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
      .Choice(&Options::target_loss, "target_loss",
              {{"squared", "squared"}, {"eps-insensitive", "eps-insensitive"}, {"huber", "huber"}},
              "loss for real targets (see okbench list losses); labels use the hinge loss")
      .Real(&Options::width, "width", "eps, sigma", Positive(), "score",
            "tube width of eps-insensitive, or sigma of huber");
  return table;
}

// Per row: a dot product with each frequency, then its cosine and sine, about 15 multiply-adds each. Scores
// and steps come on top.
Cost CostOf(const Options& options, const Workload& work) {
  const auto frequencies = static_cast<double>(options.features), outputs = static_cast<double>(work.outputs);
  Cost cost;
  const double row = frequencies * (work.entries + 30);
  cost.measuring_adds = row + 2 * frequencies * outputs;
  cost.multiply_adds = static_cast<double>(work.examples) * (row + 4 * frequencies * outputs);
  cost.bytes =
      options.features * (3 * work.row_bytes + work.lookahead * work.value_bytes + 16 * work.outputs);
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
