#pragma once
// Revisions: numbers to increment when a code change may change a trace.
// They are part of trial ids, so results of older code never count as results of the current code.

#include <nlohmann/json.hpp>

#include "harness/plan/plan.h"

namespace okbench {

/// Revision of the harness code: streams, mini-batches, folds, seeds, trace tables and their columns.
inline constexpr int kProtocolRevision = 1;
/// Revision of the measurements on the training set. Revision 2 adds the share of the worst examples.
inline constexpr int kTrainingRevision = 2;
/// Revision of the test errors of two classes. Revision 2: f(x) = 0 predicts -1, as `predict` does; it was
/// wrong for either label.
inline constexpr int kTestRevision = 2;

/// Revision of the search by coordinates (ChooseOnPrefix).
inline constexpr int kSearchRevision = 1;

/// The revisions that a trial's trace depends on, by name. Always: method, kernel engine and protocol.
/// If they apply: training measurements, test errors of two classes, loss, data generator, text reader,
/// integer rows, RBF values from differences, Hedge, and the component of the output table.
nlohmann::json RevisionsOf(const Trial& trial);

}  // namespace okbench
