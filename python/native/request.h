#pragma once
// The request of an estimator, as JSON:
//   learner     name in the registry
//   parameters  {name: value}; omitted parameters have their defaults
//   kernel      {name, gamma or sigma, degree, scale, offset, bias}, or
//               {name: "sum", terms: [{..., features: [first, last], weight}]}, or {name: "function"}
//   labels      "binary", "multiclass" or "real"
//   classes     number of classes
//   order, epochs, batch, seed  of the stream of examples
//   lookahead   number of look-ahead rows
//   standardize whether real targets are standardised
//   measures    names of measures, such as "auc@1000"
//   hedge       {beta, discount, learners: [{kernel, parameters}, ...]}: a Hedge over these learners
//   delay       rows after which a label arrives
//   first_features  features of the first rows, if features were added later

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/plan/plan.h"

namespace okbench::python {

/// The integer `table[name]`, or `usual` if the key is missing. Throws InvalidArgument unless the value is an
/// integer >= `least`.
std::uint64_t Whole(const nlohmann::json& table, const std::string& name, std::uint64_t usual,
                    std::uint64_t least = 1);

/// The trial of a request, without data. `function` is the kernel "function"; else it must be null. Throws
/// InvalidArgument for an invalid request, and json::exception if a required key is missing.
Trial TrialOf(const nlohmann::json& request, std::shared_ptr<const KernelFunction> function = nullptr);
/// The kind of labels. Throws InvalidArgument if it is unknown.
LabelKind KindOf(const nlohmann::json& request);
/// Whether real targets are standardised. Throws InvalidArgument unless it is a boolean.
bool Standardises(const nlohmann::json& request);
/// The number of classes. Throws InvalidArgument unless it is an integer >= 1 that fits an int.
int ClassesOf(const nlohmann::json& request);
/// The kernel of a request, except "function". Throws InvalidArgument if it is invalid.
Kernel KernelOf(const nlohmann::json& kernel);

/// Sets the stream of a trial on `rows` rows, with the order, epochs and batch of its request.
void SetSize(Trial& trial, std::size_t rows);
/// Sets a stream of unlimited length, whose rows arrive in chunks and are used in order.
void SetEndless(Trial& trial);

}  // namespace okbench::python
