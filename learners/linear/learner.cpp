#include "learners/bases/linear_model.h"
#include "learners/linear/linear.h"

namespace okbench::linear {
namespace {

template <class T>
std::unique_ptr<Learner> Make(const ParameterValues& values, const LearnerContext<T>& context) {
  return std::make_unique<LinearSvm<T>>(Options{.lambda = values.Real("lambda"),
                                                .projection = values.Switch("projection"),
                                                .average = values.Switch("average")},
                                        context);
}

}  // namespace

LearnerInfo Describe() {
  LearnerInfo info;
  info.name = "linear";
  info.title = "Linear online SVM: stochastic subgradient descent with steps 1/(lambda t)";
  info.paper = "linear-2010 algorithm 1";
  info.update = "w <- (1 - 1/t) w + 1/(lambda t k) sum of y_i x_i over margin violators; projection";
  info.parameters = {
      RegulariserParameter(),
      SwitchParameter("projection", false, "after each step onto the ball ||w|| <= 1/sqrt(lambda)"),
      SwitchParameter("average", false, "the average of all w predicts"),
  };
  info.protocol = Protocol::kMiniBatches;
  info.measures_training = true;
  // A product and an update.
  info.cost_model = [](const ParameterValues&, const Workload& work) { return LinearCost(work, 2); };
  info.make_float = Make<float>;
  info.make_double = Make<double>;
  return info;
}

}  // namespace okbench::linear
