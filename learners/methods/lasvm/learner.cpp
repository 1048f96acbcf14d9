#include <algorithm>

#include "learners/api/learner_info.h"
#include "learners/methods/lasvm/lasvm.h"

namespace okbench::lasvm {
namespace {

ParameterTable<Options> Parameters() {
  ParameterTable<Options> table;
  table
      .Real(&Options::lambda, "lambda", "lambda", Positive(), "",
            "regulariser; box constraint C = 1/(lambda N)")
      .Real(&Options::tolerance, "tolerance", "tau", {0, 1, true}, "score",
            "difference of gradients above which a pair of examples is violating")
      .Replaces("tau")
      .Choice(&Options::selection, "selection",
              {{"gradient", Selection::kGradient},
               {"random", Selection::kRandom},
               {"active", Selection::kActive},
               {"autoactive", Selection::kAutoActive}},
              "selection rule: largest loss, random, nearest to boundary, or nearest until 5 in the margins")
      .Integer(&Options::candidates, "candidates", "", {1, 1e9}, "examples",
               "maximum number of candidates per selection; autoactive: 100 in the paper")
      .Switch(&Options::bias, "bias", "learn a bias; sfd-2013 has none (section 5.1.1)")
      .Switch(&Options::finishing, "finishing", "final REPROCESS steps until no pair is violating")
      .Integer(&Options::cache_mib, "cache_mib", "", {1, 1 << 20}, "MiB", "size of the kernel-row cache")
      .Choice(&Options::gradients, "gradients",
              {{"training-set", Gradients::kTrainingSet}, {"support-set", Gradients::kSupportSet}},
              "examples whose gradients are kept: all of the training set, or the support set only");
  return table;
}

// Typical share of examples that violate by more than tau and cause steps (Adult, IJCNN, Web).
constexpr double kViolating = 0.4;

// Candidates and steps over a support set that is assumed to be a quarter of the training set.
Cost CostOf(const Options& options, const Workload& work) {
  const std::uint64_t candidates = options.selection == Selection::kRandom ? 1 : options.candidates;
  Cost cost;
  cost.requested = work.examples * (candidates + 3) * (work.training / 4);
  const auto training = static_cast<double>(work.training);
  cost.vectors = training / 4;
  const auto examples = static_cast<double>(work.examples), bytes = static_cast<double>(work.value_bytes);
  if (options.gradients == Gradients::kSupportSet) {
    // One sum over S per candidate. Rows that do not fit into the cache are evaluated again. Random selection
    // evaluates the row of each candidate; S is smaller in the first epoch.
    const double looked = examples * static_cast<double>(candidates);
    const double cached_share =
        static_cast<double>(options.cache_mib << 20) / (training * cost.vectors * bytes);
    cost.computed =
        options.selection == Selection::kRandom
            ? std::max(0.5 * examples, examples - 0.4 * training) * cost.vectors
            : 1.1 * training * cost.vectors + std::max(0.0, 1 - cached_share) * looked * cost.vectors / 2;
    cost.multiply_adds = (looked + 2 * examples) * cost.vectors;
    cost.streamed_bytes = cost.multiply_adds * bytes;
  } else {
    // Each member's row once. Rounds with a violating example make two steps, each along two rows, and update
    // one gradient per training example.
    cost.computed = 0.3 * training * training;
    cost.streamed_bytes = 2 * kViolating * examples * training * 2 * bytes;
    cost.multiply_adds = 2 * kViolating * examples * training;
  }
  cost.incremental_scores = true;
  cost.changes = 1.5 * cost.vectors;
  cost.bytes =
      std::min<std::uint64_t>(options.cache_mib << 20, work.training * work.training * work.value_bytes) +
      work.training * (work.row_bytes + 128);
  return cost;
}

}  // namespace

LearnerInfo Describe() {
  return DefineLearner<Protocol::kSelection>(
      {.name = "lasvm",
       .title = "LaSVM: online SMO with removal of non-support vectors",
       .paper = "sfd-2013 sec. 5.1.3; Bordes et al. 2005",
       .weights = true,
       .labels = {LabelKind::kBinary},
       .update = "PROCESS a selected example against the most violating member, then REPROCESS one violating "
                 "pair",
       .random = true,
       .estimator = {.name = "LaSVM"},
       .revision = 4},
      Parameters(), CostOf, Constructs<Lasvm>());
}

}  // namespace okbench::lasvm
