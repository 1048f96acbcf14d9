#pragma once
// Plan: a spec expanded into trials, each with a stable id.
//
// A trace is a pure function of (spec of the trial, data digest, code). The trial id is a hash of the first
// two and of the code's revisions. It does not depend on tier, run order or result folder.

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/plan/copy_on_write.h"
#include "harness/spec/spec.h"
#include "learners/api/hedge_options.h"

namespace okbench {

/// One combination of tuned or hedged values. Learners that see the whole training set have a search trial
/// for each fold of the cross validation. A trial of a stream learner searches itself, on a prefix of its
/// stream.
struct Candidate {
  CopyOnWrite<ParameterValues> parameters;
  Kernel kernel;
  nlohmann::json values;           ///< tuned values by parameter; "kernel.gamma" for kernels, see GammaOf()
  std::string text;                ///< the same as text: "lambda=0.1"
  std::vector<std::string> ids;    ///< ids of the search trials, fold 0 first
  std::vector<std::string> files;  ///< their trace files, relative to the experiment's folder
};

struct Trial {
  std::string experiment;
  std::string seed;         ///< decides all random draws: Spec::seed
  std::string learner_key;  ///< KEY of [learners.KEY] in the spec
  std::string label;        ///< name of the learner in figures
  const LearnerInfo* info = nullptr;
  CopyOnWrite<ParameterValues>
      parameters;  ///< tuned trials: those of the first candidate until one is chosen
  CopyOnWrite<std::vector<Candidate>> candidates;  ///< not empty: the search chooses one of them
  CopyOnWrite<std::vector<Candidate>> hedged;      ///< not empty: a Hedge over these combinations learns
  HedgeOptions hedge;
  Validation validation;        ///< settings of the search
  std::string grid_point;       ///< "lambda=0.95,buffer=256" in names; empty without a grid
  nlohmann::json kernel_point;  ///< kernel grid values, e.g. {"sigma": 2}; null without a grid
  bool double_precision = false;
  bool prefix = false;  ///< run of a search, on a prefix of the repetition's stream; never planned
  std::uint64_t repetition = 0;
  CopyOnWrite<DataSpec> data;
  CopyOnWrite<DataPlan> train_plan;
  CopyOnWrite<DataPlan> test_plan;
  bool synthetic = false;                   ///< trains or tests on generated data
  std::string replacement{};                ///< title of the data set in place of the named one; empty: none
  std::uint64_t examples = 0;               ///< examples processed over all epochs
  std::uint64_t training = 0;               ///< examples of the training set; streams: of one epoch
  std::uint64_t batch = 0;                  ///< examples per mini-batch; 0: none
  std::shared_ptr<const LabelTree> tree;    ///< label tree; null: none
  std::shared_ptr<const LabelGraph> graph;  ///< label graph; null: none
  Kernel kernel;
  CopyOnWrite<TraceSpec> trace;
  std::vector<MeasureRequest> measures;  ///< measures of predictions; empty for search trials
  std::uint64_t reaction = 0;            ///< Spec::reaction; 0 without changes and for search trials
  std::vector<std::uint64_t> changes;    ///< steps at which the data changes, also after the end
  PredictionShape scores;                ///< what the learner's scores are; the outputs are not set
  Workload workload;
  Cost cost;

  std::size_t first_features = 0;  ///< LearnerContext::first_features; 0 for planned trials

  std::string id;          ///< 16 hexadecimal digits
  nlohmann::json request;  ///< trials of a Python estimator: its request; null for planned trials

  /// " [SYNTHETIC DATA]", or the title of the replacement in brackets; empty for the data of the name.
  std::string DataMark() const;
  /// True for a fold of a cross validation.
  bool fold() const { return data->train.fold.has_value(); }
  /// Stream learners: examples that the search sees, >= 1.
  std::uint64_t PrefixLength() const;
  /// True for learners that learn from a training set in rounds.
  bool rounds() const {
    return info->protocol == Protocol::kMiniBatches || info->protocol == Protocol::kSelection;
  }
  /// experiment/learner_key[grid]/rN, or .../fN for fold N.
  /// --only matches this name.
  std::string Name() const;
  /// Ids of the trials that must finish first.
  std::vector<std::string> Needs() const;
  /// File name of the trace in the experiment's folder.
  std::string FileName() const;
  /// Seed of the order of the stream.
  std::uint64_t StreamSeed() const { return Seed("order"); }
  /// Seed of the draws of methods that select their own examples.
  std::uint64_t SelectionSeed() const { return Seed("selection"); }

 private:
  /// Seed derived from Trial::seed, data set, repetition and purpose. Equal for all learners.
  std::uint64_t Seed(const std::string& purpose) const;
  /// Last part of the name: "r0", "f2".
  std::string NameSuffix() const;
};

/// Whether two trials differ only in their repetition. Compares shared settings by identity, so trials of two
/// plans differ.
bool SameSetting(const Trial& a, const Trial& b);

/// All trials of a spec: data sets x kernel grid x learners x batch sizes x delays x grid x repetitions.
/// Folds precede the trials that need them. Throws SpecError if a combination is invalid or occurs
/// twice.
std::vector<Trial> MakePlan(const Spec& spec, const Catalog& catalog, const DataFolders& folders);

/// A parameter value as JSON.
nlohmann::json ToJson(const ParameterValue& value);
/// A parameter value as text; reals with six significant digits.
std::string ToText(const ParameterValue& value);

}  // namespace okbench
