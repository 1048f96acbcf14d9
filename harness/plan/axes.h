#pragma once
// The axes of a spec: what trial names can select by.

#include <nlohmann/json.hpp>
#include <string>

#include "datasets/catalog/catalog.h"

namespace okbench {

/// The values of each axis of each learner of a spec, over all tiers:
///   {"experiment": NAME, "title": TITLE, "methods": {KEY: METHOD},
///    "learners": {KEY: {AXIS: [VALUE, ...]}}}
/// The axes are data, repetition, batch, delay, kernel.NAME and the parameters that the spec sets. A value
/// is a number, a text or a bool; {"divide_by_n": x} for x / n with n training examples; {"share": x} for a
/// batch of that share of them. Throws SpecError as ReadSpec().
nlohmann::json AxesOf(const std::string& spec, const Catalog& catalog);

}  // namespace okbench
