#include "learners/bases/online_svm.h"

#include "base/error.h"

namespace okbench {

void OnlineSvmOptions::Validate() const {
  const LossInfo& info = FindLoss(loss);
  const LossParameter parameter = info.parameter;
  const bool exponential = margin_update == AdaptiveMargin::Update::kExponential;
  if (nu > 0 && parameter == LossParameter::kNone)
    throw InvalidArgument("nu = " + std::to_string(nu) + " needs a loss with a margin or a tube; '" + loss +
                          "' has none");
  if (tree_kernel && !info.pair_gradient)
    throw InvalidArgument(
        "output_kernel = \"tree\" needs loss = \"multiclass-hinge\", \"tree-hinge\" or \"graph-hinge\", "
        "whose gradients have two outputs");
  if (remove_smallest && subtract_dropped)
    throw InvalidArgument("removal = \"smallest\" needs dropped_terms = \"ignored\"");
  if (nu == 1) throw InvalidArgument("nu = 1 makes every example a margin error; nu must be < 1");
  if (info.divides_by_tube && margin == 0)
    throw InvalidArgument("margin must be > 0: it is the width of Huber's loss");
  if (nu > 0 && parameter == LossParameter::kTube && exponential)
    throw InvalidArgument("loss with a tube: the nu-trick needs margin_update = \"additive\"");
  if (nu > 0 && margin == 0 && exponential)
    throw InvalidArgument("margin must be > 0: the exponential nu-trick cannot change 0");
}

Choices<std::string> LossChoices() {
  Choices<std::string> choices;
  for (const LossInfo& info : Losses()) choices.emplace_back(info.name, info.name);
  return choices;
}

Cost OnlineSvmCost(const OnlineSvmOptions& options, const Workload& work) {
  // Most examples violate the margin; in novelty detection about the share nu does.
  const double share = FindLoss(options.loss).one_class && options.nu > 0 ? options.nu : 0.85;
  const std::uint64_t n = work.examples, buffer = options.buffer, filling = std::min(n, buffer);
  Cost cost;
  cost.requested = filling * (filling - (filling > 0 ? 1 : 0)) / 2 + (n - filling) * buffer + n;
  const auto steps = static_cast<double>(n), capacity = static_cast<double>(buffer);
  cost.vectors = std::min(share * steps, capacity);
  const double sizes = GrowingRows(steps, share, capacity);
  cost.computed = sizes + steps;
  cost.multiply_adds = sizes * (2 * static_cast<double>(work.outputs) - 1);  // f, and v or the average of f
  cost.bytes = filling * (work.row_bytes + work.lookahead * work.value_bytes + (2 * work.outputs + 2) * 8);
  // Cached kernel rows.
  if (options.subtract_dropped) cost.bytes += filling * filling * work.value_bytes;
  return cost;
}

}  // namespace okbench
