#include "learners/pegasos/pegasos.h"

namespace okbench::pegasos {
namespace {

template <class T>
std::unique_ptr<Learner> Make(const ParameterValues& values, const LearnerContext<T>& context) {
  return std::make_unique<Pegasos<T>>(Options{.lambda = values.Real("lambda"),
                                              .projection = values.Switch("projection"),
                                              .average = values.Choice("average") == "polynomial-decay",
                                              .decay = values.Real("decay")},
                                      context);
}

}  // namespace

LearnerInfo Describe() {
  LearnerInfo info;
  info.name = "pegasos";
  info.title = "Pegasos: stochastic subgradient descent on the SVM's objective";
  info.paper = "sfd-2013 sec. 5.1.3; Shalev-Shwartz et al. 2011";
  info.update = "f <- (1 - 1/t) f + 1/(lambda t k) sum of y_i k(x_i,.) over margin violators; projection";
  info.parameters = {
      RealParameter("lambda", "lambda", 1e-4, 0, 1e12, true, "",
                    "regulariser: lambda/2 ||f||^2 + mean hinge loss"),
      SwitchParameter("projection", true, "after each step onto the ball ||f|| <= 1/sqrt(lambda)"),
      ChoiceParameter("average", {"none", "polynomial-decay"},
                      "what predicts: f (Pegasos1), or its average (Pegasos2)"),
      RealParameter("decay", "d", 3, 0, 1e6, true, "", "of the average: rho_t = d/(t + d + 1)"),
  };
  info.protocol = Protocol::kMiniBatches;
  info.measures_training = true;
  // A quarter of Adult, IJCNN and Web, about.
  info.cost_model = [](const ParameterValues&, const Workload& work) {
    Cost cost = MiniBatchCost(work, 0.25);
    cost.changes = cost.vectors;
    return cost;
  };
  info.make_float = Make<float>;
  info.make_double = Make<double>;
  return info;
}

}  // namespace okbench::pegasos
