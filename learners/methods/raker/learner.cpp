#include "learners/api/learner_info.h"
#include "learners/methods/raker/raker.h"

namespace okbench::raker {
namespace {

ParameterTable<Options> Parameters() {
  ParameterTable<Options> table;
  table.Integer(&Options::kernels, "kernels", "P", {1, 100}, "kernels", "number of RBF kernels")
      .Real(&Options::ratio, "ratio", "ratio", {1, 1e6, true}, "",
            "ratio of the gammas of neighbouring kernels, around the kernel's gamma")
      .Integer(&Options::features, "features", "D", {1, 1000000}, "frequencies",
               "random frequencies of each kernel; each gives a cosine and a sine")
      .Real(&Options::eta, "eta", "eta", Positive(), "", "step size of the models and of their weights")
      .Real(&Options::lambda, "lambda", "lambda", NonNegative(), "", "regulariser lambda ||theta_p||^2");
  AddTargetLossParameters(table);
  return table;
}

Cost CostOf(const Options& options, const Workload& work) {
  return RandomFeatureCost(work, options.features * options.kernels);
}

}  // namespace

LearnerInfo Describe() {
  return DefineLearner<Protocol::kStream>(
      {.name = "raker",
       .title = "Raker: online multi-kernel learning over random Fourier features",
       .paper = "Shen, Chen and Giannakis 2019",
       .weights = true,
       .labels = {LabelKind::kBinary, LabelKind::kMulticlass, LabelKind::kReal},
       .update =
           "theta_p -= eta (l'(f_p) z_p + 2 lambda theta_p), v_p <- v_p exp(-eta L_p); f averages f_p by v_p",
       .random = true,
       .estimator = {.name = "Raker"}},
      Parameters(), CostOf, Constructs<Raker>());
}

}  // namespace okbench::raker
