#include "learners/perceptron/perceptron.h"

namespace okbench::perceptron {
namespace {

template <class T>
std::unique_ptr<Learner> Make(const ParameterValues& values, const LearnerContext<T>& context) {
  return MakeBudgetLearner(PerceptronUpdate{}, values, context);
}

}  // namespace

LearnerInfo Describe() {
  LearnerInfo info;
  info.name = "perceptron";
  info.title = "Aggressive perceptron on a budget (binary)";
  info.paper = "budget-2003 secs. 2, 3";
  info.update = "f <- f + y k(x_t, .) when y f(x_t) <= beta; the cache policy removes support patterns";
  info.parameters = BudgetParameters(0);
  info.cost_model = BudgetCost;
  info.make_float = Make<float>;
  info.make_double = Make<double>;
  return info;
}

}  // namespace okbench::perceptron
