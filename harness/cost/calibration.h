#pragma once
// Calibration: what the plan of a run needs to know of its data sets and of this machine, found by loading
// each set and by timing the kernel engine on its rows.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/cost/estimate.h"

namespace okbench {

/// A data set as trials hold it in memory.
struct HeldData {
  std::string key;  ///< names the rows: equal for trials that share them
  std::uint64_t bytes = 0;
};

/// Seconds of one kernel value, and of one that is added to a score that follows coefficients.
struct KernelSeconds {
  double value = 0, followed = 0;
};

class Calibration {
 public:
  /// Loads every data set that these trials ask for, one after the other, and measures; about a second for
  /// each hundred megabytes. Throws DataError.
  Calibration(const std::vector<const Trial*>& trials, const Catalog& catalog, const DataFolders& folders);

  TrialEstimate EstimateTrial(const Trial& trial) const;
  /// The data sets that a trial holds.
  std::vector<HeldData> DataOf(const Trial& trial) const;
  /// Seconds that loading them takes, when no other trial has.
  double LoadSeconds(const Trial& trial) const;
  /// The rates measured for a trial.
  Rates RatesOf(const Trial& trial) const;

 private:
  struct Rows {
    double entries = 0;  ///< nonzero features of a row, on average
    std::size_t rows = 0;
    std::uint64_t bytes = 0;
    std::uint64_t packed_bytes = 0;  ///< of a row in a support set
    double load_seconds = 0;
    std::map<std::string, KernelSeconds> kernels;  ///< by description
  };
  template <class T>
  void Visit(const std::string& key, const DataRequest& request, const std::vector<const Trial*>& trials,
             const Catalog& catalog, const DataFolders& folders);
  const Rows& RowsOf(const Trial& trial, const DataRequest& request) const;

  std::map<std::string, Rows> sets_;  // by key
  double scored_value_ = 0, multiply_add_ = 0, streamed_byte_ = 0;
};

}  // namespace okbench
