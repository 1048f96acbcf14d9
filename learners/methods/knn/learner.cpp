#include "learners/methods/knn/knn.h"

namespace okbench::knn {

LearnerInfo Describe() {
  ParameterTable<Options> table;
  table.Integer(&Options::k, "k", "k", {1, 1e6}, "neighbours", "neighbours that vote");
  table.Integer(&Options::window, "window", "w", {1, 1e8}, "rows", "rows kept, the last ones");
  return DefineLearner<Protocol::kStream>(
      {.name = "knn",
       .title = "Baseline: nearest neighbours in a window",
       .paper = "Cover and Hart 1967",
       .labels = {LabelKind::kBinary, LabelKind::kMulticlass, LabelKind::kReal},
       .update = "predict by the k nearest of the last w rows"},
      table,
      [](const Options& options, const Workload& work) {
        Cost cost;
        const auto window = static_cast<double>(options.window);
        cost.computed = GrowingRows(static_cast<double>(work.examples), 1, window);
        cost.requested = static_cast<std::uint64_t>(cost.computed);
        cost.vectors = std::min(window, static_cast<double>(work.examples));
        cost.bytes = std::min(options.window, work.examples) * (work.row_bytes + 5 * sizeof(double));
        return cost;
      },
      Constructs<Knn>());
}

}  // namespace okbench::knn
