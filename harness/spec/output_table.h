#pragma once
// OutputTable: a spec table that defines the outputs of structured examples, e.g. [data.boxes].
// Each optional component adds one.

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/spec/spec_key.h"
#include "harness/spec/toml_reader.h"
#include "learners/api/learner.h"

namespace okbench {

struct OutputTable {
  std::string name;         ///< name of the table below [data]
  std::string description;  ///< one line, shown by `okbench help keys`
  KeyTable keys;
  /// Revisions of the component's code, by name. Part of the id of every trial that uses the table.
  std::map<std::string, int> revisions;
  /// Reads the options of the table. The caller calls table.Finish() afterwards.
  std::shared_ptr<const OutputOptions> (*read)(TomlReader& table);
  /// The options as JSON, part of trial ids.
  nlohmann::json (*to_json)(const OutputOptions& options);
  /// Estimated number of outputs of one example.
  std::uint64_t (*candidates)(const OutputOptions& options);
  /// Estimated bytes of memory per output, for examples with `candidates` outputs.
  std::uint64_t (*candidate_bytes)(std::uint64_t candidates, const Kernel& kernel);
  /// Seconds to score one output with a function held in memory, on a typical core.
  double candidate_seconds;
};

/// The output tables of all components in this build.
const std::vector<OutputTable>& OutputTables();

/// The table [data.boxes]. Defined only in builds with OKBENCH_BOXES.
OutputTable BoxesTable();

}  // namespace okbench
