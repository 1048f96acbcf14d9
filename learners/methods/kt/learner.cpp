#include <string>

#include "base/error.h"
#include "learners/methods/kt/kt.h"

namespace okbench::kt {
namespace {

// Typical share of examples that become support vectors (Adult, IJCNN1, USPS).
constexpr double kSupport = 0.4;
// Rounding tolerance: bounds the error of k(x, x) for single-precision rows of norm 1.
constexpr double kRounding = 1e-4;

}  // namespace

void RequireUnit(double self) {
  if (self <= 1 + kRounding) return;
  throw InvalidArgument("kt needs k(x, x) <= 1, but an example has " + std::to_string(self) +
                        ": set unit_norm or use an rbf kernel");
}

LearnerInfo Describe() {
  return DefineOneVsRest<Method>({.name = "kt",
                                  .title = "Coin betting with the Krichevsky-Trofimov estimator (KT)",
                                  .paper = "Orabona and Pal 2016",
                                  .labels = {},
                                  .update = "f = W / t sum_i y_i k(x_i, .) over the i with y_i f_i(x_i) < 1, "
                                            "W the wealth 1 + sum_i y_i f_i(x_i)",
                                  .estimator = {.name = "KT"}},
                                 ParameterTable<Options>(), [](const Options&, const Workload& work) {
                                   return FunctionSetCost(work, kSupport, 0, 0, 0);
                                 });
}

}  // namespace okbench::kt
