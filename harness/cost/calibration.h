#pragma once
// Calibration: sizes of the data sets and speeds of this machine, for cost estimates. Loads every data set
// and times the kernel engine on its rows.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/cost/estimate.h"

namespace okbench {

/// A data set in memory.
struct LoadedData {
  std::string key;  ///< identifies the rows; trials with equal keys share them
  std::uint64_t bytes = 0;
};

/// Seconds per kernel value: `value` for the evaluation, `incremental` for the evaluation and the addition
/// to an incrementally updated score.
struct KernelSeconds {
  double value = 0, incremental = 0;
};

class Calibration {
 public:
  /// Loads the data sets of these trials one after another and measures. Takes about one second per 100 MB.
  /// Throws DataError.
  Calibration(const std::vector<const Trial*>& trials, const Catalog& catalog, const DataFolders& folders);

  /// The methods below throw std::out_of_range for trials whose data sets were not passed to the constructor.
  TrialEstimate EstimateTrial(const Trial& trial) const;
  /// The data sets that a trial holds in memory.
  std::vector<LoadedData> DataOf(const Trial& trial) const;
  /// Seconds to load these data sets, if no other trial has loaded them.
  double LoadSeconds(const Trial& trial) const;
  /// The measured rates for a trial's kernel and rows.
  Rates RatesOf(const Trial& trial) const;

 private:
  struct Rows {
    double entries = 0;  ///< mean number of nonzero features per row
    std::size_t rows = 0;
    std::uint64_t bytes = 0;         ///< memory of the whole set
    std::uint64_t packed_bytes = 0;  ///< memory per row in a support set
    double load_seconds = 0;
    std::map<std::string, KernelSeconds> kernels;  ///< by Kernel::Describe()
  };
  template <class T>
  void Visit(const std::string& key, const DataRequest& request, const std::vector<const Trial*>& trials,
             const Catalog& catalog, const DataFolders& folders);
  const Rows& RowsOf(const Trial& trial, const DataRequest& request) const;

  std::map<std::string, Rows> sets_;  // by SetKey()
  double scored_value_ = 0, multiply_add_ = 0, streamed_byte_ = 0;
};

}  // namespace okbench
