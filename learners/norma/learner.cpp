#include "learners/core/error.h"
#include "learners/norma/norma.h"

namespace okbench::norma {
namespace {

Schedule ScheduleOf(const ParameterValues& values) {
  const std::string& name = values.Choice("schedule");
  return name == "constant"     ? Schedule::kConstant
         : name == "sqrt-decay" ? Schedule::kSqrtDecay
                                : Schedule::kInverseSqrt;
}

// The buffer that the truncation error asks for, where it does.
std::size_t BufferFor(const ParameterValues& values, std::uint64_t steps) {
  return TruncationBuffer(ScheduleOf(values), values.Real("eta0"), values.Real("tau"), values.Real("c"),
                          FindLoss(values.Choice("loss")).slope, steps, values.Real("truncation_error"));
}

// What can be seen without data.
void Check(const ParameterValues& values) {
  const bool truncated = values.Real("truncation_error") > 0;
  const auto need = [](bool holds, const char* cause) {
    if (!holds) throw InvalidArgument(cause);
  };
  if (truncated) {
    need(values.Real("c") > 0, "truncation_error needs c > 0: without regularisation old terms never fade");
    need(values.Real("eta0") * values.Real("c") <= 1, "truncation_error needs eta0 c <= 1");
    need(std::isfinite(FindLoss(values.Choice("loss")).slope),
         "truncation_error needs a loss with a bounded derivative");
  }
  if (!values.Switch("average")) return;
  need(!values.Switch("offset"), "average = true is for hypotheses without an offset");
  need(!truncated, "average = true needs every term: truncation_error must be 0");
}

template <class T>
std::unique_ptr<Learner> Make(const ParameterValues& values, const LearnerContext<T>& context) {
  const ScheduledStep step(ScheduleOf(values), values.Real("eta0"), values.Real("tau"),
                           values.Real("eta_margin0"));
  OnlineSvmOptions options = ResolveOnlineSvm(values);
  Check(values);
  if (values.Real("truncation_error") > 0) {
    if (context.kernel.kind != KernelKind::kRbf)
      throw InvalidArgument("truncation_error needs a kernel with k(x, x) = 1: rbf");
    if (context.steps == 0)
      throw InvalidArgument("truncation_error needs the length of the stream (LearnerContext::steps)");
    options.buffer = BufferFor(values, context.steps);
  }
  if (!values.Switch("average")) return std::make_unique<OnlineSvm<T, ScheduledStep>>(options, step, context);
  // A term that left the buffer would leave the average, too.
  if (options.buffer < context.steps)
    throw InvalidArgument("average = true needs a buffer for every term: buffer >= " +
                          std::to_string(context.steps));
  return std::make_unique<OnlineSvm<T, AveragedStep>>(options, AveragedStep(step), context);
}

Cost CostOf(const ParameterValues& values, const Workload& work) {
  Check(values);
  if (values.Real("truncation_error") == 0) return OnlineSvmCost(values, work);
  return BufferedCost(values, BufferFor(values, work.examples), work);
}

}  // namespace

std::size_t TruncationBuffer(Schedule schedule, double eta0, double tau, double c, double slope,
                             std::uint64_t steps, double error) {
  double bound = slope / c;
  std::size_t kept = 0;
  while (kept < steps && bound > error) {
    bound *= 1 - eta0 * ScheduleFactor(schedule, tau, steps - kept) * c;
    ++kept;
  }
  return std::max<std::size_t>(kept, 1);
}

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
  info.parameters.push_back(
      RealParameter("truncation_error", "", 0, 0, 1e12, false, "RKHS norm",
                    "0: buffer as given; else the least buffer that loses no more (proposition 1)"));
  info.parameters.push_back(SwitchParameter(
      "average", false, "measurements are of the average of the hypotheses (theorem 3 of norma-2001)"));
  info.ranks_examples = true;
  info.cost_model = CostOf;
  info.make_float = Make<float>;
  info.make_double = Make<double>;
  return info;
}

}  // namespace okbench::norma
