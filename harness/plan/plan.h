#pragma once
// Plan: a spec unrolled into trials, each with a stable id.
//
// A trial is a pure function of (spec of the trial, data digest, code). Its id is a hash of the first two:
// the same trial has the same id in every tier, run order and result folder.

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/spec/spec.h"

namespace okbench {

/// One combination of tuned values, and the trials of its search: those of cross validation, or, for a
/// stream, one on how it begins.
struct Candidate {
  ParameterValues parameters;
  Kernel kernel;
  nlohmann::json values;           ///< of the tuned parameters, those of the kernel as "kernel.sigma"
  std::string text;                ///< the same for names, "lambda=0.1"
  std::vector<std::string> ids;    ///< of these trials, fold 0 first
  std::vector<std::string> files;  ///< of their traces, in the experiment's folder
};

struct Trial {
  std::string experiment;
  std::string seed;  ///< decides all random draws: Spec::seed
  std::string learner_key;
  std::string label;
  const LearnerInfo* info = nullptr;
  ParameterValues parameters;         ///< of a tuned trial: those of the first candidate, until one is chosen
  std::vector<Candidate> candidates;  ///< not empty: the trial needs the results of their folds first
  Validation validation;              ///< how they are found
  std::string grid_point;             ///< "lambda=0.95,buffer=256", for names; empty without a grid
  nlohmann::json kernel_point;        ///< {"sigma": 2} of the kernel's grid; null without one
  bool double_precision = false;
  bool prefix = false;  ///< of a search: shows the beginning of its repetition's stream
  std::uint64_t repetition = 0;
  DataSpec data;
  DataPlan train_plan;
  DataPlan test_plan;
  bool synthetic = false;
  std::uint64_t examples = 0;             ///< that are processed in all
  std::uint64_t training = 0;             ///< of the training set
  std::uint64_t batch = 0;                ///< of a mini-batch
  std::shared_ptr<const LabelTree> tree;  ///< of the classes; null: there is none
  Kernel kernel;
  TraceSpec trace;
  Workload workload;
  Cost cost;

  std::string id;            ///< 16 hexadecimal digits
  nlohmann::json canonical;  ///< everything that determines the trace

  /// A trial of a cross validation.
  bool fold() const { return data.train.fold.has_value(); }
  /// A trial that helps to choose the parameters of others; which fold it is, or of which repetition.
  bool search() const { return fold() || prefix; }
  std::uint64_t SearchNumber() const { return fold() ? data.train.fold->fold : repetition; }
  /// Of a stream: the examples that candidates see, at least 1.
  std::uint64_t PrefixLength() const;
  /// Learns from a training set in rounds.
  bool rounds() const {
    return info->protocol == Protocol::kMiniBatches || info->protocol == Protocol::kSelection;
  }
  /// experiment/learner_key[grid]/rN, or .../fN for fold N, or .../pN for a search on the stream of rN: what
  /// --only matches.
  std::string Name() const;
  /// Ids of the trials whose results it needs first.
  std::vector<std::string> Needs() const;
  /// File name of its trace below the experiment's folder.
  std::string FileName() const;
  /// Seed of the stream's order, and of the draws of methods that select their examples themselves, from
  /// named axes.
  std::uint64_t StreamSeed() const { return Seed("order"); }
  std::uint64_t SelectionSeed() const { return Seed("selection"); }

 private:
  std::uint64_t Seed(const std::string& purpose) const;
  /// "r0", "f2", "p0".
  std::string Place() const;
};

/// All trials of a spec: learners x grid x repetitions, each after the folds of its cross validation. Throws
/// SpecError when a grid point is invalid.
std::vector<Trial> MakePlan(const Spec& spec, const Catalog& catalog, const DataFolders& folders);

/// A parameter value as JSON, and as short text.
nlohmann::json ToJson(const ParameterValue& value);
std::string ToText(const ParameterValue& value);

}  // namespace okbench
