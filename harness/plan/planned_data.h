#pragma once
// PlannedData: what the plans of all trials on one data set of a spec have in common.

#include <string>

#include "harness/plan/plan.h"

namespace okbench {

struct PlannedData {
  /// Trial without learner and sizes: experiment, seed, data, kernel, trace, validation, rows of both parts.
  Trial base;
  LabelKind labels = LabelKind::kBinary;     ///< labels that learners see; binary with data.positive
  bool grouped_by_class = false;             ///< the rows of the file are grouped by class
  std::size_t features = 0;                  ///< features of a row, estimated if the catalog does not say
  std::size_t entries = 0;                   ///< stored values of a row, estimated
  std::size_t classes = 0;                   ///< classes that learners see; 0 for real targets and images
  std::size_t outputs = 1;                   ///< scores of a learner: number of classes, or 1
  std::optional<std::string> delays;         ///< digest of the delays, if the spec reads them
  std::vector<std::uint64_t> change_points;  ///< rows of train at which the data changes
  std::size_t candidates = 0;       ///< candidate outputs of an example; 0 without structured outputs
  std::size_t candidate_bytes = 0;  ///< estimated memory of one candidate
};

/// Plans data set `name` of a spec. If rows of one part are generated, rows of both are, so that real and
/// synthetic data never mix. Throws SpecError.
PlannedData PlanDataOf(const Spec& spec, const std::string& name, const Catalog& catalog,
                       const DataFolders& folders);

}  // namespace okbench
