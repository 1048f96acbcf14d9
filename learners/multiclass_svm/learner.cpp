#include "learners/multiclass_svm/multiclass_svm.h"

namespace okbench::multiclass_svm {
namespace {

template <class T>
std::unique_ptr<Learner> Make(const ParameterValues& values, const LearnerContext<T>& context) {
  Options options;
  options.c = values.Real("C");
  options.gap = values.Real("gap");
  options.cache_bytes = static_cast<std::size_t>(values.Integer("cache_mib")) << 20;
  options.shrinking = values.Switch("shrinking");
  options.max_rounds = static_cast<std::size_t>(values.Integer("max_rounds"));
  return std::make_unique<MulticlassSvm<T>>(options, context);
}

}  // namespace

LearnerInfo Describe() {
  LearnerInfo info;
  info.name = "multiclass-svm";
  info.title = "Batch multiclass SVM (Crammer and Singer 2001)";
  info.paper = "budget-2003 sec. 4; Crammer and Singer 2001";
  info.update =
      "rounds of exact small problems on the most violating examples, until the duality gap is small";
  info.parameters = {
      RealParameter("C", "C (1/beta in the 2001 paper)", 1, 0, 1e12, true, "", "weight of the losses"),
      RealParameter("gap", "", 1e-3, 0, 1, true, "share of the primal objective",
                    "relative duality gap to reach"),
      IntegerParameter("cache_mib", "", 512, 1, 1 << 20, "MiB", "bound of the kernel-row cache"),
      SwitchParameter("shrinking", true, "leave out examples that are classified with room to spare"),
      IntegerParameter("max_rounds", "", 1000000, 1, 1e12, "rounds", "gives up after so many rounds"),
  };
  info.protocol = Protocol::kSolver;
  // The rows of every round's working set over the active examples: some multiples of n^2, depending on the
  // data.
  info.cost_model = [](const ParameterValues& values, const Workload& work) {
    Cost cost;
    cost.requested = 2 * work.examples * work.examples + work.examples;
    const auto n = static_cast<double>(work.examples);
    cost.vectors = 0.45 * n;
    cost.computed = 0.7 * n * n;
    // Updates of the scores of all classes along each row of the working sets, the same rows in many rounds.
    cost.multiply_adds = 10 * n * n * static_cast<double>(work.outputs);
    const auto cache = static_cast<std::uint64_t>(values.Integer("cache_mib")) << 20;
    cost.bytes = std::min(cache, work.examples * work.examples * work.value_bytes) +
                 work.examples * (2 * work.row_bytes + 64 * work.value_bytes + 32 * work.outputs);
    return cost;
  };
  info.make_float = Make<float>;
  info.make_double = Make<double>;
  return info;
}

}  // namespace okbench::multiclass_svm
