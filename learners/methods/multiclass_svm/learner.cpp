#include "learners/api/learner_info.h"
#include "learners/methods/multiclass_svm/multiclass_svm.h"

namespace okbench::multiclass_svm {
namespace {

ParameterTable<Options> Parameters() {
  ParameterTable<Options> table;
  table.Real(&Options::c, "C", "C (1/beta in the 2001 paper)", Positive(), "", "weight of the losses")
      .Real(&Options::tolerance, "tolerance", "", {0, 1, true}, "share of the primal objective",
            "relative duality gap at which training stops")
      .Replaces("gap")
      .Integer(&Options::cache_mib, "cache_mib", "", {1, 1 << 20}, "MiB", "size of the kernel-row cache")
      .Switch(&Options::shrinking, "shrinking",
              "temporary exclusion of examples classified with a large margin")
      .Integer(&Options::max_rounds, "max_rounds", "", {1, 1e12}, "rounds", "limit of rounds");
  return table;
}

// Rows of every round's working set over the active examples: a small multiple of n^2 that depends on the
// data.
Cost CostOf(const Options& options, const Workload& work) {
  Cost cost;
  cost.requested = 2 * work.examples * work.examples + work.examples;
  const auto n = static_cast<double>(work.examples);
  cost.vectors = 0.45 * n;
  cost.computed = 0.7 * n * n;
  // Score updates of all classes along each row of the working sets; rows recur in many rounds.
  cost.multiply_adds = 10 * n * n * static_cast<double>(work.outputs);
  cost.bytes =
      std::min<std::uint64_t>(options.cache_mib << 20, work.examples * work.examples * work.value_bytes) +
      work.examples * (2 * work.row_bytes + 64 * work.value_bytes + 32 * work.outputs);
  return cost;
}

}  // namespace

LearnerInfo Describe() {
  return DefineLearner<Protocol::kSolver>(
      {.name = "multiclass-svm",
       .title = "Batch multiclass SVM (Crammer and Singer 2001)",
       .paper = "budget-2003 sec. 4; Crammer and Singer 2001",
       .weights = true,
       .labels = {LabelKind::kMulticlass},
       .update =
           "rounds of exact small problems on the most violating examples, until the duality gap is small",
       .estimator = {.name = "MulticlassSVM"},
       .tolerance = true,
       .revision = 2},
      Parameters(), CostOf, Constructs<MulticlassSvm>());
}

}  // namespace okbench::multiclass_svm
