#include <limits>

#include "learners/core/error.h"
#include "learners/sfd/sfd.h"

namespace okbench::sfd {
namespace {

constexpr double kUnbounded = -std::numeric_limits<double>::infinity();

Schedule ReadSchedule(const ParameterValues& values) {
  const std::string& name = values.Choice("schedule");
  Schedule schedule{
      .kind = Schedule::Kind::kOverBatch, .c = values.Real("c"), .exponent = values.Real("exponent")};
  if (name == "sfd2" || name == "c*t/N") schedule.kind = Schedule::Kind::kOverSet;
  if (name == "c*t^exponent") schedule.kind = Schedule::Kind::kPower;
  if (name.starts_with("sfd") && schedule.c != 1)
    throw InvalidArgument("schedule = '" + name + "' has c = 1; choose c/k or c*t/N for another c");
  return schedule;
}

template <class T>
std::unique_ptr<Learner> Make(const ParameterValues& values, const LearnerContext<T>& context) {
  Options options;
  options.schedule = ReadSchedule(values);
  options.rho_min = values.Switch("bounded_below") ? values.Real("rho_min") : kUnbounded;
  options.rho_max = values.Real("rho_max");
  options.planes = values.Choice("solver") == "cutting-planes";
  options.gap = values.Real("gap");
  options.epsilon = values.Real("epsilon");
  if (options.rho_min >= options.rho_max) throw InvalidArgument("rho_min must be below rho_max");
  return std::make_unique<Sfd<T>>(options, context);
}

}  // namespace

LearnerInfo Describe() {
  LearnerInfo info;
  info.name = "sfd";
  info.title = "SFD: stochastic functional descent";
  info.paper = "sfd-2013 ch. 3 and 5.1";
  info.update = "f <- f + argmin_u lambda_t/2 ||u||^2 + mean_i max(0, rho_i - y_i u(x_i)) on each mini-batch";
  info.parameters = {
      ChoiceParameter(
          "schedule", {"sfd1", "sfd2", "c/k", "c*t/N", "c*t^exponent"},
          "lambda_t: the thesis' SFD1 (1/k) and SFD2 (t/N), or one with c; t counts rounds from 1"),
      RealParameter("c", "", 1, 0, 1e12, true, "", "constant of the schedule"),
      RealParameter("exponent", "a", 1, -100, 100, false, "", "of c*t^exponent"),
      RealParameter("rho_min", "", 0, -1e12, 1e12, false, "score",
                    "lower bound of the residual margin (section 3.3)"),
      SwitchParameter("bounded_below", true,
                      "false: the residual margin has no lower bound, rho_min is not used"),
      RealParameter("rho_max", "M", 1, 0, 1e12, true, "score", "upper bound of the residual margin"),
      ChoiceParameter("solver", {"coordinate", "cutting-planes"},
                      "of the update: exact to `gap`, or the thesis' 1-slack cutting planes to `epsilon`"),
      RealParameter("gap", "", 1e-6, 0, 1, true, "share of the primal objective",
                    "relative duality gap of the update, coordinate ascent"),
      RealParameter("epsilon", "epsilon", 0.01, 0, 1, true, "loss", "tolerance of the cutting planes"),
  };
  info.protocol = Protocol::kMiniBatches;
  info.measures_training = true;
  // Of Adult, IJCNN and Web, about.
  info.cost_model = [](const ParameterValues&, const Workload& work) { return MiniBatchCost(work, 0.4); };
  info.make_float = Make<float>;
  info.make_double = Make<double>;
  return info;
}

}  // namespace okbench::sfd
