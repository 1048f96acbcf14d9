#pragma once
// Plan: a spec unrolled into trials, each with a stable id.
//
// A trial is a pure function of (spec of the trial, data digest, code). Its id is a hash of the first two:
// the same trial has the same id in every tier, run order and result folder.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/spec.h"

namespace okbench {

struct Trial {
  std::string experiment;
  std::string learner_key;
  std::string label;
  const LearnerInfo* info = nullptr;
  ParameterValues parameters;
  std::string grid_point;  ///< "lambda=0.95,buffer=256", for names; empty without a grid
  bool double_precision = false;
  std::uint64_t repetition = 0;
  DataSpec data;
  DataPlan train_plan;
  DataPlan test_plan;
  bool stand_in = false;
  std::uint64_t examples = 0;  ///< steps of the stream
  Kernel kernel;
  TraceSpec trace;
  std::uint64_t expected_evaluations = 0;  ///< at most this many are requested

  std::string id;            ///< 16 hexadecimal digits
  nlohmann::json canonical;  ///< everything that determines the trace

  /// experiment/learner_key[grid]/rN, what --only matches.
  std::string Name() const;
  /// File name of its trace below the experiment's folder.
  std::string FileName() const;
  /// Seed of the stream's permutation, from named axes.
  std::uint64_t StreamSeed() const;
};

/// All trials of a spec: learners x grid x repetitions. Throws SpecError when a grid point is invalid.
std::vector<Trial> MakePlan(const Spec& spec, const Catalog& catalog, const DataFolders& folders);

/// A parameter value as JSON, and as short text.
nlohmann::json ToJson(const ParameterValue& value);
std::string ToText(const ParameterValue& value);

}  // namespace okbench
