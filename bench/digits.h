#pragma once
// Data and registry helpers of the learner benchmarks.

#include <map>
#include <string>

#include "datasets/rows/load.h"
#include "learners/api/learner_info.h"

namespace okbench::bench {

/// A data set of the catalog, prepared as in the experiments and loaded once. Uses the synthetic fallback
/// if files are missing. MNIST and usps-esl are mapped to [0, 1] and scaled to unit norm.
const Examples<float>& Data(const std::string& name);

/// A data set of the project's catalog. REQUIRES: the catalog contains `name`.
DataSet Catalogued(const std::string& name);

/// Rows of the project's catalog, or of the synthetic fallback if files are missing.
Examples<float> LoadCatalogued(DataRequest request);

/// Runs a learner on the first `limit` examples (0: all). Returns the number of mistakes. Sets `requested` to
/// the number of requested kernel values.
std::uint64_t RunOnline(const std::string& data, const std::string& learner, const Kernel& kernel,
                        const std::map<std::string, ParameterValue>& parameters, std::size_t limit,
                        std::uint64_t* requested);

}  // namespace okbench::bench
