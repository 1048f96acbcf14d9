#include "learners/norma/norma.h"

namespace okbench::norma {
namespace {

template <class T>
std::unique_ptr<Learner> Make(const ParameterValues& values, const LearnerContext<T>& context) {
  using Schedule = ScheduledStep::Schedule;
  const std::string& name = values.Choice("schedule");
  const Schedule schedule = name == "constant"     ? Schedule::kConstant
                            : name == "sqrt-decay" ? Schedule::kSqrtDecay
                                                   : Schedule::kInverseSqrt;
  const ScheduledStep step(schedule, values.Real("eta0"), values.Real("tau"), values.Real("eta_margin0"));
  return std::make_unique<OnlineSvm<T, ScheduledStep>>(ResolveOnlineSvm(values), step, context);
}

}  // namespace

LearnerInfo Describe() {
  LearnerInfo info;
  info.name = "norma";
  info.title = "NORMA, the online SVM with a scheduled step size";
  info.paper = "norma-2001 sec. 3; svmd-2006 sec. 4";
  info.update = "f <- (1 - eta_t c) f - eta_t dl/df(x_t) k(x_t, .)";
  info.parameters = OnlineSvmParameters();
  info.parameters.push_back(ChoiceParameter("schedule", {"sqrt-decay", "constant", "inverse-sqrt"},
                                            "eta_0 sqrt(tau/(tau+t)) (eq. 62), eta_0, or eta_0/sqrt(t)"));
  info.parameters.push_back(
      RealParameter("tau", "tau", 100, 0, 1e12, true, "steps", "time constant of sqrt-decay"));
  info.parameters.push_back(RealParameter("eta_margin0", "eta_eps,0", 1, 0, 1e12, true, "",
                                          "initial step size of the nu-trick; follows the schedule"));
  info.expected_evaluations = OnlineSvmEvaluations;
  info.make_float = Make<float>;
  info.make_double = Make<double>;
  return info;
}

}  // namespace okbench::norma
