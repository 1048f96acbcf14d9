// PA-I with a budget (Crammer et al. 2006): f <- f + min(C, loss / k(x, x)) y k(x, .). The oldest support
// vector is removed when the budget is full. The code of docs/tutorials/first-learner.md.
#include <algorithm>

#include "learners/api/plugin.h"
#include "learners/bases/one_vs_rest.h"

namespace okbench::pa_budget {

struct Options {
  double c = 1;               ///< largest coefficient of a step
  std::size_t budget = 1000;  ///< largest number of support vectors
};

template <class T>
class Method {
 public:
  Method(const Options& options, const FunctionContext& /*context*/) : options_(options) {}

  LossValue Evaluate(double f, double y) const { return HingeOf(f, y, 1); }
  void Learn(SupportFunction<T> f, double score, double y) {
    const double loss = 1 - y * score, self = f.Self();
    if (loss <= 0 || self <= 0) return;
    if (f.size() >= options_.budget) f.Remove(0);
    f.Add(y * std::min(options_.c, loss / self));
    ++updates_;
  }

  static auto State() { return state::List(state::Column("updates", &Method::updates_)); }

 private:
  Options options_;
  std::uint64_t updates_ = 0;
};

LearnerInfo Describe() {
  ParameterTable<Options> table;
  table.Real(&Options::c, "C", "C", Positive(), "", "largest coefficient of a step")
      .Integer(&Options::budget, "budget", "B", {1, 1e8}, "support vectors",
               "when full, the oldest is removed");
  return DefineOneVsRest<Method>({.name = "pa-budget",
                                  .title = "Kernel passive-aggressive with a budget",
                                  .paper = "Crammer et al. 2006",
                                  .labels = {},
                                  .update = "f <- f + min(C, loss / k(x, x)) y k(x, .)",
                                  .estimator = {.name = "PaBudget"}},
                                 table, [](const Options& options, const Workload& work) {
                                   return FunctionSetCost(work, 0.4, options.budget, 0, 0);
                                 });
}

}  // namespace okbench::pa_budget

OKBENCH_PLUGIN(okbench::pa_budget::Describe);
