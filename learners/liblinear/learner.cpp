#include "learners/bases/linear_model.h"
#include "learners/liblinear/liblinear.h"

namespace okbench::liblinear {
namespace {

template <class T>
std::unique_ptr<Learner> Make(const ParameterValues& values, const LearnerContext<T>& context) {
  return std::make_unique<Liblinear<T>>(
      Options{.lambda = values.Real("lambda"), .tolerance = values.Real("tolerance")}, context);
}

}  // namespace

LearnerInfo Describe() {
  LearnerInfo info;
  info.name = "liblinear";
  info.title = "LIBLINEAR's batch linear SVM, the optimum to compare with";
  info.paper = "linear-2010 eq. 1; Fan et al. 2008";
  info.update = "w = argmin lambda/2 ||w||^2 + mean hinge loss, by dual coordinate descent";
  info.parameters = {
      RegulariserParameter(),
      RealParameter("tolerance", "eps", 1e-3, 0, 1, true, "score",
                    "largest violation of the dual's optimality conditions to stop at"),
  };
  info.protocol = Protocol::kSolver;
  info.measures_training = true;
  // Passes until it converges, typically; it copies the rows.
  info.cost_model = [](const ParameterValues&, const Workload& work) {
    Cost cost = LinearCost(work, 200);
    cost.bytes += static_cast<std::uint64_t>(work.entries * 16) * work.examples;
    return cost;
  };
  info.make_float = Make<float>;
  info.make_double = Make<double>;
  return info;
}

}  // namespace okbench::liblinear
