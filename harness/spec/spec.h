#pragma once
// Spec: one experiment file for one tier, validated and typed. Format: docs/reference/specs.md.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "datasets/rows/load.h"
#include "datasets/rows/stream.h"
#include "harness/measures/prediction_measure.h"
#include "harness/spec/kernel_reader.h"
#include "harness/spec/output_table.h"
#include "learners/api/hedge_options.h"
#include "learners/api/learner_info.h"
#include "learners/outputs/label_tree.h"

namespace okbench {

/// Outputs of structured examples, as given by a component's table.
struct OutputSpec {
  const OutputTable* table = nullptr;  ///< null: examples are not structured
  std::shared_ptr<const OutputOptions> options;
};

/// The rows of a trial and their order.
struct DataSpec {
  DataRequest train;
  StreamSpec stream;
  std::vector<std::string> names;  ///< data sets to run; `train.name` is the first
  std::string test_part;           ///< part to measure the test error on; empty: none
  /// Mini-batch sizes to run: a number of examples (integer) or a share of the training set, in (0, 1).
  std::vector<ParameterValue> batches;
  std::vector<std::uint64_t> delays;     ///< label delays to run, in steps; empty: 0
  bool delay_column = false;             ///< the data set states the delay of each label
  std::optional<LabelTree::Shape> tree;  ///< shape of the label tree; none: learners get no tree
  std::vector<std::string> graph;        ///< edges of the label graph; empty: learners get no graph
  OutputSpec outputs;                    ///< outputs of structured examples
};

template <MaybeConst<DataSpec> Object, class Visit>
void VisitFields(Object& data, const Visit& visit) {
  auto& [train, stream, names, test_part, batches, delays, delay_column, tree, graph, outputs] = data;
  visit(identity::Nested{"train"}, train);
  visit(identity::Nested{"stream"}, stream);
  visit(identity::Derived{"names"}, names);  // train.name holds the trial's data set
  visit(identity::WhenSet{"test"}, test_part);
  visit(identity::Derived{"batches"}, batches);  // DataJson adds the trial's size
  visit(identity::Derived{"delays"}, delays);    // stream.delay holds the trial's delay
  visit(identity::Derived{"delay_column"}, delay_column);
  visit(identity::WhenSet{"tree"}, tree);
  visit(identity::WhenSet{"graph"}, graph);
  visit(identity::WhenSet{"outputs"}, outputs);
}

/// The steps and measurements that a trace records. Steps are counted from 1.
struct TraceSpec {
  std::uint64_t record_all_until = 10000;  ///< record every step up to this one
  std::uint64_t per_decade = 1000;         ///< log-spaced steps per decade after `record_all_until`
  std::uint64_t every = 0;                 ///< also record every multiple of this step; 0: none
  std::vector<std::uint64_t> from_end;     ///< also record the steps this many before the end
  std::uint64_t checkpoints = 1;      ///< measurements on the test part, evenly spaced, last one at the end
  std::vector<std::uint64_t> rounds;  ///< additional measurements after these rounds, counted from 1
  bool training = false;              ///< also measure the loss on the training set
  /// Folds only: stop at the first checkpoint that changes the test error by at most this; none: never stop.
  std::optional<double> tolerance{};
  /// Number of first margin errors to record, and of examples with the smallest margins to record per part.
  std::uint64_t outliers = 0;
  bool predictions = false;  ///< streams: record label and scores of every step
};

/// One [learners.KEY] table.
struct LearnerEntry {
  std::string key;
  std::string label;  ///< name shown in figures
  const LearnerInfo* info = nullptr;
  std::map<std::string, SpecValue> given;  ///< fixed parameter values, by name
  std::vector<Axis> grid;                  ///< each combination is a trial
  std::vector<Axis> tune;                  ///< the combination with the lowest validation error is used
  std::vector<Axis> hedge;                 ///< all combinations learn, and vote
  HedgeOptions hedge_options;
};

/// Which combinations of tuned values a stream learner tries.
enum class Search {
  kGrid,         ///< all of them, on the whole prefix
  kCoordinates,  ///< one axis after the other (harness/run/prefix_search.h)
};

/// Parameter search: cross validation, or for stream learners a prefix of the stream.
struct Validation {
  std::uint64_t folds = 5;
  std::uint64_t epochs = 0;  ///< epochs of a fold; 0: same as the tuned run
  /// A fold stops at the first epoch that changes its held-out error by at most this; none: runs all epochs.
  std::optional<double> tolerance{};
  double stream_share = 0.1;      ///< streams: share of the repetition's stream, from its start, to search on
  Search search = Search::kGrid;  ///< streams
};

struct Spec {
  std::string path;
  std::string experiment;  ///< e.g. "svmd-2006/fig3"
  std::string seed;        ///< text that all random draws derive from; default: the experiment's name
  std::string title;
  std::string tier;
  std::vector<std::string> overrides;  ///< path=value, from --set
  bool double_precision = false;
  std::uint64_t repetitions = 1;
  DataSpec data;
  KernelSpec kernel;
  Validation validation;
  TraceSpec trace;
  std::vector<MeasureRequest> measures;  ///< measures of predictions to compute
  std::uint64_t reaction = 0;            ///< window of the measures of reaction to changes; 0: none
  std::vector<LearnerEntry> learners;
};

inline constexpr const char* kTiers[] = {"quick", "default", "paper"};

/// Throws SpecError unless the file is a spec, or a list of shared learners, of the present format.
void RequireFormat(TomlReader& reader, const TomlSource& source);

/// Reads and validates a spec for one tier. Overrides "path=value" from the command line apply last.
/// Throws SpecError with a one-line message: file, line, key and the allowed values.
Spec ReadSpec(const std::string& path, const std::string& tier, const std::vector<std::string>& overrides,
              const Catalog& catalog);

}  // namespace okbench
