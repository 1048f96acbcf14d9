#include "learners/bases/online_svm.h"

#include "learners/core/error.h"

namespace okbench {

std::vector<Parameter> OnlineSvmParameters() {
  std::vector<std::string> losses;
  for (const LossInfo& info : Losses()) losses.push_back(info.name);
  return {
      ChoiceParameter("loss", losses, "loss function, see okbench list losses"),
      RealParameter("eta0", "eta_0", 1, 0, 1e12, true, "", "initial step size"),
      RealParameter("c", "c (lambda in norma-2001)", 0, 0, 1e12, false, "",
                    "regularisation constant of c/2 ||f||^2"),
      IntegerParameter("buffer", "omega", 512, 1, 100000000, "support vectors",
                       "circular buffer: keeps the last terms, overwrites the oldest"),
      RealParameter("margin", "rho, eps, sigma", 1, 0, 1e12, false, "score",
                    "margin, or width of the tube of regression; the initial one when nu > 0"),
      RealParameter("nu", "nu", 0, 0, 1, false, "share of margin errors",
                    "0: fixed margin; else margin or tube is adapted to this share (nu-trick)"),
      ChoiceParameter("margin_update", {"exponential", "additive"},
                      "nu-trick: eps exp(-eta G) of svmd-2006, or rho - eta (e - nu) of norma-2001"),
      SwitchParameter("offset", false, "adds an offset b to every score (eqs. 53 to 55 of svmd-2006)"),
  };
}

OnlineSvmOptions ResolveOnlineSvm(const ParameterValues& values) {
  OnlineSvmOptions options;
  options.loss = values.Choice("loss");
  options.c = values.Real("c");
  options.buffer = static_cast<std::size_t>(values.Integer("buffer"));
  options.margin = values.Real("margin");
  options.nu = values.Real("nu");
  options.margin_update = values.Choice("margin_update") == "additive" ? AdaptiveMargin::Update::kAdditive
                                                                       : AdaptiveMargin::Update::kExponential;
  options.offset = values.Switch("offset");
  options.parameter = FindLoss(options.loss).parameter;
  if (options.nu > 0 && options.parameter == LossParameter::kNone)
    throw InvalidArgument("nu = " + std::to_string(options.nu) + " needs a loss with a margin or a tube; '" +
                          options.loss + "' has none");
  if (options.nu == 1) throw InvalidArgument("nu = 1 makes every example a margin error; it must be < 1");
  if (options.loss == "huber" && options.margin == 0)
    throw InvalidArgument("margin = 0 leaves Huber's loss no width; it must be > 0");
  if (options.nu > 0 && options.parameter == LossParameter::kTube &&
      options.margin_update == AdaptiveMargin::Update::kExponential)
    throw InvalidArgument(
        "the exponential nu-trick is for margins; a tube needs margin_update = \"additive\"");
  if (options.nu > 0 && options.margin == 0 && options.margin_update == AdaptiveMargin::Update::kExponential)
    throw InvalidArgument("margin = 0 stays 0 under the exponential nu-trick; it must be > 0");
  return options;
}

Cost OnlineSvmCost(const ParameterValues& values, const Workload& work) {
  return BufferedCost(values, static_cast<std::uint64_t>(values.Integer("buffer")), work);
}

Cost BufferedCost(const ParameterValues& values, std::uint64_t buffer, const Workload& work) {
  // Most examples violate a margin; in novelty detection the share that was asked for.
  const double nu = values.Real("nu");
  const double share = values.Choice("loss") == "novelty" && nu > 0 ? nu : 0.85;
  const std::uint64_t n = work.examples, filling = std::min(n, buffer);
  Cost cost;
  cost.requested = filling * (filling - (filling > 0 ? 1 : 0)) / 2 + (n - filling) * buffer + n;
  const auto steps = static_cast<double>(n), capacity = static_cast<double>(buffer);
  cost.vectors = std::min(share * steps, capacity);
  const double sizes = GrowingRows(steps, share, capacity);
  cost.computed = sizes + steps;
  cost.multiply_adds = sizes * (2 * static_cast<double>(work.outputs) - 1);  // f, and v or the average
  cost.bytes = filling * (work.row_bytes + work.tile * work.value_bytes + (2 * work.outputs + 2) * 8);
  return cost;
}

}  // namespace okbench
