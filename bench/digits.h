#pragma once
// Data and registry helpers of the learner benchmarks.

#include <map>
#include <string>

#include "datasets/load.h"
#include "learners/api/learner_info.h"

namespace okbench::bench {

/// A catalogued data set as the experiments take it, loaded once: the real one when its files are here, else
/// its synthetic fallback. MNIST and usps-esl are mapped to [0, 1] and scaled to unit norm.
const Examples<float>& Data(const std::string& name);

/// A set of the project's catalogue.
DataSet Catalogued(const std::string& name);

/// Rows of the project's catalogue: the real ones when their files are here, else the synthetic fallback's.
Examples<float> LoadCatalogued(DataRequest request);

/// Runs a learner over the first `limit` examples (0: all); returns its mistakes. `requested` gets the kernel
/// values asked for.
std::uint64_t RunOnline(const std::string& data, const std::string& learner, const Kernel& kernel,
                        const std::map<std::string, ParameterValue>& parameters, std::size_t limit,
                        std::uint64_t* requested);

}  // namespace okbench::bench
