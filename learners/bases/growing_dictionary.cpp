#include "learners/bases/growing_dictionary.h"

#include <algorithm>

#include "learners/bases/one_vs_rest.h"

namespace okbench {

Cost DictionaryCost(const Workload& work, double share, std::size_t budget, double solves) {
  Cost cost = FunctionSetCost(work, share, budget, 3 / share, 0);
  const auto steps = static_cast<double>(work.examples), outputs = static_cast<double>(work.outputs);
  const double most = budget == 0 ? steps : static_cast<double>(budget);
  cost.multiply_adds += outputs * solves / share * GramFactor::Work(steps, share, most);
  const double members = std::min(most, steps);
  cost.bytes += static_cast<std::uint64_t>(outputs * members * members * sizeof(double));
  return cost;
}

}  // namespace okbench
