#pragma once
// Second step of planning: how many examples a trial processes.

#include "harness/plan/planned_data.h"

namespace okbench {

/// Sets training, batch and examples of `trial` for the protocol of its learner. For learners in rounds,
/// data.max_examples also limits the training set. Throws SpecError if the stream of the spec does not fit
/// the protocol.
Trial Sized(Trial trial, const Spec& spec, const LearnerEntry& entry, const PlannedData& data,
            const ParameterValue& batch);

/// A fold of the cross validation of `of`: trains on the rows of the other folds, tests on the held-out rows.
/// Throws SpecError.
Trial SizedFold(const Trial& of, std::uint64_t fold, const Spec& spec, const LearnerEntry& entry,
                const ParameterValue& batch);

/// Sets workload and cost of a sized trial with parameters. Throws InvalidArgument if the cost model rejects
/// the parameters.
void SetCost(Trial& trial, const PlannedData& data);

}  // namespace okbench
