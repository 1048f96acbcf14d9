#include "learners/sampled_cuts/sampled_cuts.h"

namespace okbench::sampled_cuts {
namespace {

template <class T>
std::unique_ptr<Learner> Make(const ParameterValues& values, const LearnerContext<T>& context) {
  return std::make_unique<SampledCuts<T>>(
      Options{.lambda = values.Real("lambda"), .epsilon = values.Real("epsilon")}, context);
}

}  // namespace

LearnerInfo Describe() {
  LearnerInfo info;
  info.name = "sampled-cuts";
  info.title = "SampledCuts: 1-slack cutting planes from sampled violators";
  info.paper = "sfd-2013 sec. 5.1.3; Yu and Joachims 2008";
  info.update =
      "classify the training set, draw violators for a new cutting plane, solve the planes' program";
  info.parameters = {
      RealParameter("lambda", "lambda", 1e-4, 0, 1e12, true, "",
                    "regulariser: lambda/2 ||f||^2 + mean hinge loss"),
      RealParameter("epsilon", "epsilon", 1e-3, 0, 1, true, "loss",
                    "over when the loss exceeds the slack of the planes by no more"),
  };
  info.protocol = Protocol::kSelection;
  info.measures_training = true;
  // Every round asks for the training set's scores under as many support vectors as a fifth of it, say.
  info.cost_model = [](const ParameterValues&, const Workload& work) {
    const std::uint64_t rounds = work.batch > 0 ? work.examples / work.batch : work.examples;
    Cost cost;
    cost.requested = rounds * work.training * (work.training / 5);
    const auto training = static_cast<double>(work.training);
    cost.vectors = training / 4;
    // A row over the training set for each violating example drawn, which are nearly all; every plane is summed
    // in each round.
    cost.computed = 0.9 * static_cast<double>(work.examples) * training;
    cost.streamed_bytes = static_cast<double>(rounds) * static_cast<double>(rounds) / 2 * 8 * training;
    cost.follows_scores = true;
    cost.bytes = work.training * (work.row_bytes + 8 * rounds + 64);
    return cost;
  };
  info.make_float = Make<float>;
  info.make_double = Make<double>;
  return info;
}

}  // namespace okbench::sampled_cuts
