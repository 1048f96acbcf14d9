#pragma once
// Revisions: numbers that are raised on purpose when code may move a trace. They are part of every trial's
// id, so that results of older code are other trials, and never pass for those of the code at hand.

#include <nlohmann/json.hpp>

#include "harness/plan/plan.h"

namespace okbench {

/// Of what shows examples and records them: streams, mini-batches, folds, seeds, tables and their columns.
inline constexpr int kProtocolRevision = 1;
/// Of what is measured on the training set, where it is: revision 2 has the share of the worst examples.
inline constexpr int kTrainingRevision = 2;

/// The revisions that a trial's trace depends on: of its method, its loss where it has that parameter, the
/// kernel engine, what is measured on the training set, the generator where its data is generated, the reader
/// of texts where it is made of them, and the protocol.
nlohmann::json RevisionsOf(const Trial& trial);

}  // namespace okbench
