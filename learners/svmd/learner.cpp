#include "learners/svmd/svmd.h"

namespace okbench::svmd {
namespace {

template <class T>
std::unique_ptr<Learner> Make(const ParameterValues& values, const LearnerContext<T>& context) {
  const MetaDescent step(values.Real("eta0"), values.Real("mu"), values.Real("lambda"),
                         values.Real("eta_margin0"));
  return std::make_unique<OnlineSvm<T, MetaDescent>>(ResolveOnlineSvm(values), step, context);
}

}  // namespace

LearnerInfo Describe() {
  LearnerInfo info;
  info.name = "svmd";
  info.title = "SVMD, the online SVM with step size adaptation by stochastic meta-descent";
  info.paper = "svmd-2006 sec. 5";
  info.update = "eta_t = eta_{t-1} max(1/2, 1 - mu <g_t, v_t>); v <- lambda v - eta_t (g_t + lambda H_t v)";
  info.parameters = OnlineSvmParameters();
  info.parameters.push_back(RealParameter("mu", "mu", 0.1, 0, 1e12, false, "", "meta-step size, eq. 36"));
  info.parameters.push_back(RealParameter("lambda", "lambda", 0.95, 0, 1, false, "",
                                          "decay of the gradient trace v, eq. 37; 0: single-step"));
  info.parameters.push_back(RealParameter("eta_margin0", "eta_eps,0", 1, 0, 1e12, true, "",
                                          "initial step size of the nu-trick (mu and lambda are shared)"));
  info.ranks_examples = true;
  info.cost_model = OnlineSvmCost;
  info.make_float = Make<float>;
  info.make_double = Make<double>;
  return info;
}

}  // namespace okbench::svmd
