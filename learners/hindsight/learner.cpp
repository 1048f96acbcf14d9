#include "learners/hindsight/hindsight.h"

namespace okbench::hindsight {
namespace {

template <class T>
std::unique_ptr<Learner> Make(const ParameterValues& values, const LearnerContext<T>& context) {
  return std::make_unique<Hindsight<T>>(
      Options{.c = values.Real("c"), .margin = values.Real("margin"), .tolerance = values.Real("tolerance")},
      context);
}

}  // namespace

LearnerInfo Describe() {
  LearnerInfo info;
  info.name = "hindsight";
  info.title = "the best fixed hypothesis in hindsight, with which regret is measured";
  info.paper = "norma-2001 sec. 4";
  info.update = "none; g = argmin c/2 ||g||^2 + mean soft margin loss over the training part";
  info.parameters = {
      RealParameter("c", "lambda", 1, 0, 1e12, true, "", "regularisation constant of c/2 ||g||^2"),
      RealParameter("margin", "rho", 1, 0, 1e12, true, "score", "margin of the loss"),
      RealParameter("tolerance", "", 1e-6, 0, 1, true, "of the objective", "duality gap to stop at"),
  };
  info.cost_model = [](const ParameterValues& /*values*/, const Workload& work) {
    Cost cost;
    cost.requested = work.training * (work.training + 1) / 2;
    const auto n = static_cast<double>(work.training);
    cost.vectors = 0.8 * n;
    cost.computed = n * n;
    cost.streamed_bytes = 40 * n * n * static_cast<double>(work.value_bytes);  // passes of the solver
    cost.bytes = work.training * (work.training * work.value_bytes + 2 * work.row_bytes + 128);
    return cost;
  };
  info.make_float = Make<float>;
  info.make_double = Make<double>;
  return info;
}

}  // namespace okbench::hindsight
