#include "harness/plan/planned_data.h"

#include <algorithm>

#include "datasets/generators/drift.h"
#include "datasets/rows/series.h"
#include "harness/spec/label_trees.h"

namespace okbench {
namespace {

void PlanRows(Trial& trial, const Spec& spec, const DataSet& set, const DataFolders& folders) {
  DataRequest test = trial.data->train;
  test.part = spec.data.test_part;
  const auto plan = [&] {
    trial.train_plan = PlanData(set, trial.data->train, folders);
    std::size_t& rows = trial.train_plan.Edit().rows;
    rows = std::min<std::size_t>(rows, trial.data->train.sample.value_or(rows));
    if (!test.part.empty()) trial.test_plan = PlanData(set, test, folders);
    trial.synthetic = trial.train_plan->synthetic || trial.test_plan->synthetic;
  };
  plan();
  if (!trial.synthetic || trial.data->train.force_synthetic) return;
  trial.data.Edit().train.force_synthetic = test.force_synthetic = true;
  plan();
}

void CheckKernelFeatures(const Spec& spec, const Kernel& kernel, const std::string& name,
                         std::size_t features) {
  for (const KernelTerm& term : kernel.terms)
    if (features > 0 && term.first + term.count > features)
      throw SpecError(spec.path + ": kernel.terms has features " + std::to_string(term.first) + " to " +
                      std::to_string(term.first + term.count - 1) + ", but '" + name + "' has " +
                      std::to_string(features) + ", counted from 0");
}

// The digest of the delays of the training part. Throws DataError if the spec cannot use them.
std::string DelaysOf(const Spec& spec, const DataSet& set, bool synthetic) {
  const std::string key = "data.delay = \"column\": ";
  if (spec.data.train.part != "train" || spec.data.train.sample)
    throw DataError(key + "needs data.part = \"train\" without data.sample");
  if (synthetic || !set.parts.at("train").delays)
    throw DataError(key + "'" + set.name +
                    "' has no delays of its labels; okbench data add --delay adds them");
  const DataFile& file = *set.parts.at("train").delays;
  if (file.sha256.empty()) throw DataError(key + "the file of delays needs a sha256 in the catalog");
  return file.sha256;
}

}  // namespace

PlannedData PlanDataOf(const Spec& spec, const std::string& name, const Catalog& catalog,
                       const DataFolders& folders) {
  const DataSet& entry = catalog.Find(name);
  const DataSet set = IsSeries(entry) ? Embedded(entry, spec.data.train) : entry;
  PlannedData data;
  data.features = set.EstimatedFeatures();
  data.entries = set.EstimatedEntries();
  data.grouped_by_class = set.by_class;
  const bool one_against_rest = set.kind == LabelKind::kMulticlass && !spec.data.train.positive.empty();
  data.labels = one_against_rest ? LabelKind::kBinary : set.kind;
  data.classes = data.labels == LabelKind::kBinary ? 2 : set.labels.size();
  data.outputs = data.labels == LabelKind::kMulticlass ? set.labels.size() : 1;
  if (const auto& [table, options] = spec.data.outputs; table != nullptr) {
    data.candidates = table->candidates(*options);
    data.candidate_bytes = table->candidate_bytes(data.candidates, spec.kernel.kernel);
  }
  Trial& base = data.base;
  base.experiment = spec.experiment;
  base.seed = spec.seed;
  base.data = spec.data;
  base.data.Edit().train.name = name;
  if (catalog.replaced(name)) base.replacement = set.title;
  base.kernel = spec.kernel.kernel;
  if (spec.kernel.gammas.contains(name)) base.kernel.gamma = spec.kernel.gammas.at(name);
  CheckKernelFeatures(spec, base.kernel, name, set.features);
  base.trace = spec.trace;
  base.measures = spec.measures;
  base.validation = spec.validation;
  base.double_precision = spec.double_precision;
  if (spec.data.names.size() > 1) base.grid_point = "data=" + name;
  try {
    if (spec.data.tree) base.tree = std::make_shared<const LabelTree>(MakeLabelTree(set, *spec.data.tree));
    if (!spec.data.graph.empty())
      base.graph = std::make_shared<const LabelGraph>(MakeLabelGraph(set, spec.data.graph));
    PlanRows(base, spec, set, folders);
    if (spec.data.delay_column) data.delays = DelaysOf(spec, set, base.synthetic);
    data.change_points = ChangePoints(set, set.generated() || base.synthetic, base.train_plan->rows);
  } catch (const DataError& error) {
    throw SpecError(spec.path + ": " + error.what());
  }
  return data;
}

}  // namespace okbench
