#include "learners/bases/one_vs_rest.h"

namespace okbench {

LossValue HingeOf(double f, double y, double margin) {
  const double violation = margin - y * f;
  return {.loss = std::max(0.0, violation),
          .mistake = y * f <= 0,
          .margin_error = margin > 0 ? violation > 0 : violation >= 0,
          .violation = violation};
}

Cost FunctionSetCost(const Workload& work, double share, std::size_t budget, double passes, double rows,
                     bool joint) {
  const std::uint64_t n = work.examples;
  // Each step requests a row over the union of the functions' members, and k(x, x).
  const std::uint64_t most =
      budget == 0 ? n : std::min<std::uint64_t>(n, budget * (joint ? 1 : work.outputs));
  const std::uint64_t filled = most * (most - (most > 0 ? 1 : 0)) / 2 + (n - most) * most;
  Cost cost;
  cost.requested = filled + n + static_cast<std::uint64_t>(rows * static_cast<double>(filled));
  const auto steps = static_cast<double>(n), limit = static_cast<double>(most);
  cost.vectors = std::min(share * steps, limit);
  const double sizes = GrowingRows(steps, share, limit);
  cost.computed = sizes * (1 + share * rows) + steps;
  cost.multiply_adds = sizes * (static_cast<double>(work.outputs) - 1 + share * passes);
  cost.bytes = most * (work.row_bytes + work.lookahead * work.value_bytes + (work.outputs + 4) * 8);
  return cost;
}

}  // namespace okbench
