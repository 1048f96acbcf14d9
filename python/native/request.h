#pragma once
// What an estimator asks for, as JSON:
//   learner     its name in the registry
//   parameters  {name: value}; the others have their defaults
//   kernel      {name, gamma or sigma, degree, scale, offset}, or
//               {name: "sum", terms: [{..., features: [first, last], weight}]}
//   labels      "binary", "multiclass" or "real";  classes  how many
//   order, epochs, batch, seed  of the examples shown;  lookahead  look-ahead rows

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/plan/plan.h"

namespace okbench::python {

/// A number of a table, or the usual one where it has none. Throws InvalidArgument for what is less than
/// `least` or no integer.
std::uint64_t Whole(const nlohmann::json& table, const std::string& name, std::uint64_t usual,
                    std::uint64_t least = 1);

/// A trial of this, without data. Throws InvalidArgument for what cannot be asked for.
Trial TrialOf(const nlohmann::json& request);
LabelKind KindOf(const nlohmann::json& request);
/// Of labels that are no real targets. Throws InvalidArgument without an integer >= 1.
int ClassesOf(const nlohmann::json& request);
Kernel KernelOf(const nlohmann::json& kernel);

/// All is shown of so many rows.
void SetSize(Trial& trial, std::size_t rows);
/// Rows come in chunks, in their order, and may go on for ever.
void SetEndless(Trial& trial);

}  // namespace okbench::python
