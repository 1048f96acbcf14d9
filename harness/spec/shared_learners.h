#pragma once
// Expands the shared parts of a spec before it is read: learner files, named value lists, and values that
// depend on the labels.
//
//   learners = "learners/league.toml"                  [learners] of that file; path relative to the spec
//   [lists]
//   budget = [64, 256]                                 grid = { budget = "budget" } uses these values
//   loss = { binary = "hinge", multiclass = "..." }    the value for the labels of the data set
//
// Learners of a shared file that do not support the labels of the data set are skipped.

#include "datasets/catalog/catalog.h"
#include "harness/spec/toml_reader.h"

namespace okbench {

/// Copies the learners and lists of a shared file into the spec that names it, if any, including the lists of
/// `tier`. Lists defined in the spec take precedence. Throws SpecError.
void TakeSharedLearners(TomlSource& source, const std::string& tier);

/// Replaces list names and per-label tables by their values. Removes shared learners that do not support the
/// labels of the data sets. REQUIRES: tier and overrides have been applied. Throws SpecError.
void ResolveLearners(TomlSource& source, const Catalog& catalog);

}  // namespace okbench
