#pragma once
// What specs share, put in its place before a spec is read: a list of learners in a file of its own, lists of
// values by name, and values that depend on the labels.
//
//   learners = "learners/league.toml"                  the [learners] of that file, beside the spec
//   [lists]
//   budget = [64, 256]                                 grid = { budget = "budget" } has these values
//   loss = { binary = "hinge", multiclass = "..." }    the one of the data set's labels
//
// A shared list may have learners that do not learn from a data set's labels: the spec is without them.

#include "datasets/catalog.h"
#include "harness/spec/toml_reader.h"

namespace okbench {

/// Puts the learners of a shared file, and its lists, those of the tier included, into a spec that names one;
/// lists of the spec itself stay. Throws SpecError.
void TakeSharedLearners(TomlSource& source, const std::string& tier);

/// Puts values in place of names of lists and of tables by labels, and leaves out what does not fit. The
/// last thing before the spec is read. Throws SpecError.
void ResolveLearners(TomlSource& source, const Catalog& catalog);

}  // namespace okbench
