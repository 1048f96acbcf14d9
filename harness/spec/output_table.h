#pragma once
// OutputTable: the table of a spec that says what the outputs of structured examples are. Optional components
// add one each, e.g. [data.boxes].

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
  std::string name;         ///< below [data]
  std::string description;  ///< one line
  KeyTable keys;
  /// Revisions of the component's code, part of the ids of trials that have the table.
  std::map<std::string, int> revisions;
  /// Reads the options; the caller finishes the reader.
  std::shared_ptr<const OutputOptions> (*read)(TomlReader& table);
  nlohmann::json (*to_json)(const OutputOptions& options);
  /// Estimated outputs of one example.
  std::uint64_t (*candidates)(const OutputOptions& options);
  /// Estimated bytes of memory per output, when an example has this many.
  std::uint64_t (*candidate_bytes)(std::uint64_t candidates, const Kernel& kernel);
  /// Seconds to score one candidate by a function in memory, on a typical core.
  double candidate_seconds;
};

/// The tables of the components in this build.
const std::vector<OutputTable>& OutputTables();

}  // namespace okbench
