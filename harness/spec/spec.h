#pragma once
// Spec: one experiment file, validated and typed, for one tier. docs/spec-format.md describes the format.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "datasets/load.h"
#include "datasets/stream.h"
#include "harness/spec/kernel_reader.h"
#include "harness/spec/output_table.h"
#include "learners/api/learner_info.h"
#include "learners/outputs/label_tree.h"

namespace okbench {

/// The outputs of structured examples, as a component's table says; no table: none.
struct OutputSpec {
  const OutputTable* table = nullptr;
  std::shared_ptr<const OutputOptions> options;
};

/// Which rows and in which order.
struct DataSpec {
  DataRequest train;
  StreamSpec stream;
  std::vector<std::string> names;  ///< data sets; each is run, `train.name` being the first
  std::string test_part;           ///< part the test error is measured on; empty: none
  /// Sizes of a mini-batch, each is run: a number of examples (an integer), or a share of the training set.
  std::vector<ParameterValue> batches;
  std::optional<LabelTree::Shape> tree;  ///< of the classes; none: learners get no tree
  OutputSpec outputs;                    ///< of structured examples
};

template <MaybeConst<DataSpec> Object, class Visit>
void VisitFields(Object& data, const Visit& visit) {
  auto& [train, stream, names, test_part, batches, tree, outputs] = data;
  visit(identity::Nested{"train"}, train);
  visit(identity::Nested{"stream"}, stream);
  visit(identity::Derived{"names"}, names);  // a trial has one of them
  visit(identity::WhenSet{"test"}, test_part);
  visit(identity::Derived{"batches"}, batches);  // and one of these
  visit(identity::WhenSet{"tree"}, tree);
  visit(identity::Derived{"outputs"}, outputs);  // DataJson adds its table
}

/// Which steps a trace records.
struct TraceSpec {
  std::uint64_t dense = 10000;          ///< every step up to this one
  std::uint64_t per_decade = 1000;      ///< log-spaced steps beyond
  std::uint64_t every = 0;              ///< and each step that this number divides; 0: none
  std::vector<std::uint64_t> from_end;  ///< also the steps this many before the end
  std::uint64_t checkpoints = 1;  ///< measurements on the test part, evenly spaced, the last one at the end
  std::vector<std::uint64_t> rounds;  ///< and after these rounds
  bool training = false;              ///< measure the loss over the training set there, too
  /// Of folds: the run ends with the checkpoint that moves the test error by no more than this; none: never.
  std::optional<double> tolerance{};
  /// Record this many first margin errors, and as many examples deepest inside the margin per part.
  std::uint64_t outliers = 0;
};

/// One [learners.KEY] table.
struct LearnerEntry {
  std::string key;
  std::string label;  ///< how figures call it
  const LearnerInfo* info = nullptr;
  std::map<std::string, GivenValue> given;
  std::vector<Axis> grid;  ///< every combination is a trial
  std::vector<Axis> tune;  ///< the combination with the least error in the search is taken
};

/// How parameters are chosen: by cross validation, or for streams on how they begin.
struct Validation {
  std::uint64_t folds = 5;
  std::uint64_t epochs = 0;  ///< of a fold; 0: as many as the run that is tuned
  /// A fold ends with the epoch that moves its held-out error by no more than this; none: after the last.
  std::optional<double> tolerance{};
  double stream_share = 0.1;  ///< streams: the part of the repetition's own stream that candidates see
};

struct Spec {
  std::string path;
  std::string experiment;  ///< e.g. "svmd-2006/fig3"
  std::string seed;        ///< text that all random draws derive from; default: the experiment's name
  std::string title;
  std::string tier;
  std::vector<std::string> overrides;  ///< path=value, from the command line
  bool double_precision = false;
  std::uint64_t repetitions = 1;
  DataSpec data;
  KernelSpec kernel;
  Validation validation;
  TraceSpec trace;
  std::vector<LearnerEntry> learners;
};

inline constexpr const char* kTiers[] = {"quick", "default", "paper"};

/// Reads and validates a spec for a tier, with overrides "path=value" from the command line. Throws
/// SpecError: one line with file, line, key and what is allowed.
Spec ReadSpec(const std::string& path, const std::string& tier, const std::vector<std::string>& overrides,
              const Catalog& catalog);

}  // namespace okbench
