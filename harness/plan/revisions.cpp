#include "harness/plan/revisions.h"

#include <algorithm>

#include "datasets/generators/generators.h"
#include "datasets/text/text_options.h"
#include "learners/kernels/engine.h"
#include "learners/losses/loss.h"

namespace okbench {
namespace {

bool HasRbf(const Kernel& kernel) {
  const auto is_rbf = [](const KernelTerm& term) { return HasRbf(term.kernel); };
  return kernel.kind == KernelKind::kRbf || std::any_of(kernel.terms.begin(), kernel.terms.end(), is_rbf);
}

// Whether RBF values may be computed from differences, as far as the plan knows the rows.
bool MayUseDifferences(const Trial& trial, const Kernel& kernel) {
  if (!trial.train_plan->integers) return HasRbf(kernel);
  const IntegerScale scale{.unit_norm = trial.data->train.unit_norm};
  return trial.double_precision ? NeedsDifferences<double>(kernel, scale)
                                : NeedsDifferences<float>(kernel, scale);
}

// The same for each kernel that the search may choose, or that is hedged.
bool MayUseDifferences(const Trial& trial) {
  const auto may = [&](const Candidate& candidate) { return MayUseDifferences(trial, candidate.kernel); };
  return MayUseDifferences(trial, trial.kernel) || std::ranges::any_of(*trial.candidates, may) ||
         std::ranges::any_of(*trial.hedged, may);
}

// Whether the trial, or the search for its parameters, measures test errors of two classes.
bool TestsTwoClasses(const Trial& trial) {
  const bool folds = !trial.candidates->empty() && trial.info->protocol != Protocol::kStream;
  return (folds || !trial.data->test_part.empty()) && trial.scores.classes == 2 &&
         trial.scores.kind != ScoreKind::kOneClass;
}

}  // namespace

nlohmann::json RevisionsOf(const Trial& trial) {
  nlohmann::json revisions = {
      {"method", trial.info->revision}, {"engine", kEngineRevision}, {"protocol", kProtocolRevision}};
  if (trial.trace->training && trial.info->measures_training) revisions["training"] = kTrainingRevision;
  if (TestsTwoClasses(trial)) revisions["test"] = kTestRevision;
  const auto& values = trial.parameters->all();
  if (const auto loss = values.find("loss"); loss != values.end())
    revisions["loss"] = FindLoss(std::get<std::string>(loss->second)).revision;
  if (trial.synthetic || !trial.train_plan->digest.starts_with("sha256:"))
    revisions["generator"] = kGeneratorVersion;
  if (trial.train_plan->documents) revisions["text"] = kTextRevision;
  if (trial.train_plan->integers) revisions["integers"] = kIntegersRevision;
  if (MayUseDifferences(trial)) revisions["distances"] = kDistanceRevision;
  if (!trial.hedged->empty()) revisions["hedge"] = kHedgeRevision;
  if (const OutputTable* outputs = trial.data->outputs.table)
    for (const auto& [name, revision] : outputs->revisions) revisions[name] = revision;
  return revisions;
}

}  // namespace okbench
