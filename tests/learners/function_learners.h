#pragma once
// Shared code of the tests of methods with one function: construction through the registry, and plain
// scoring.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "learners/api/registry.h"
#include "learners/bases/one_vs_rest.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench::testing {

/// Creates the learner `name` through the registry. REQUIRES: it is a OneVsRest over Method.
template <template <class> class Method>
std::unique_ptr<OneVsRest<double, Method>> MakeFunctions(const std::string& name,
                                                         const std::map<std::string, ParameterValue>& given,
                                                         const Examples<double>& train, const Kernel& kernel,
                                                         std::uint64_t seed = 1) {
  const LearnerInfo& info = FindLearner(name);
  std::unique_ptr<Learner> learner =
      info.Make<double>(ParameterValues::Resolve(info.parameters, given),
                        {.train = &train, .test = nullptr, .kernel = kernel, .seed = seed});
  auto* functions = dynamic_cast<OneVsRest<double, Method>*>(learner.get());
  REQUIRE(functions != nullptr);
  static_cast<void>(learner.release());  // owned by the returned pointer
  return std::unique_ptr<OneVsRest<double, Method>>(functions);
}

/// Binary examples with `features` features per row.
inline Examples<double> Binary(std::size_t features, std::vector<double> values,
                               std::vector<std::int32_t> labels) {
  return Examples<double>::Dense(features, std::move(values), std::move(labels), LabelKind::kBinary, 2);
}

/// The coefficients of the members of a function, oldest first.
template <class Learner>
std::vector<double> Alphas(const Learner& learner, std::size_t r = 0) {
  std::vector<double> alphas;
  for (const std::uint32_t slot : learner.set().members(r)) alphas.push_back(learner.set().alpha(r, slot));
  return alphas;
}

/// The examples that are members of a function, oldest first.
template <class Learner>
std::vector<std::uint32_t> MembersOf(const Learner& learner, std::size_t r = 0) {
  std::vector<std::uint32_t> members;
  for (const std::uint32_t slot : learner.set().members(r)) members.push_back(learner.set().example(slot));
  return members;
}

/// Two clouds of binary examples. Flips each label with probability `noise`.
inline Examples<double> NoisyClouds(std::size_t rows, double distance, double noise, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values;
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::int32_t label = random.Below(2) == 0 ? -1 : 1;
    values.push_back(0.4 * random.Normal() + distance * label);
    values.push_back(0.4 * random.Normal());
    labels.push_back(random.Uniform() < noise ? -label : label);
  }
  return Binary(2, std::move(values), std::move(labels));
}

}  // namespace okbench::testing
