#pragma once
// Means of summary rows over seeds.

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/store/summary_row.h"

namespace okbench {

/// Averages rows over the seeds. Keeps a few numbers of each row, about 300 bytes.
class Means {
 public:
  /// Adds a row of ForEachRow with its position. Ignores folds. The order of the calls does not matter.
  void Add(const SummaryRow& row, std::size_t position);

  /// One row per set of trials that differ in the seed alone, in order of the first positions: `seeds`,
  /// `failed` (trials without a valid result), `missing` (planned trials that have not run), `stale`,
  /// `complete` (every trial has a valid result), and for each measure {`mean`, `deviation` (null for one
  /// seed)} over the seeds. The measures are null unless complete.
  std::vector<SummaryRow> Rows() const;

 private:
  // The numbers of a row with numbers. NaN stands for null.
  struct Entry {
    std::size_t position;
    std::vector<double> values;  // by number of the path
    bool operator<(const Entry& other) const { return position < other.position; }
  };
  // Rows that differ in the seed alone.
  struct Group {
    std::size_t position;  // of the first row
    SummaryRow first;
    std::vector<Entry> entries;
    std::size_t stale = 0;
  };
  // Rows without numbers. They have no setting and belong to all groups of the same name.
  struct Lacking {
    std::size_t position;
    SummaryRow first;
    std::size_t failed = 0, missing = 0, stale = 0;
  };

  void AddNumbers(Group& group, const SummaryRow& row, std::size_t position);
  SummaryRow RowOfGroup(const Group& group, const Lacking* lacking) const;
  std::vector<double> ValuesOf(const Group& group, const std::string& path) const;

  std::unordered_map<std::string, std::size_t> paths_;          // numbers of JSON pointers
  std::map<std::string, std::map<std::string, Group>> groups_;  // by name and setting
  std::map<std::string, Lacking> lacking_;                      // by name
};

/// For each experiment, learner and data set, the row of Means with the smallest error (test error if there
/// is one). Adds `points`, the number of complete rows it was chosen from.
std::vector<SummaryRow> BestOf(const std::vector<SummaryRow>& means);

}  // namespace okbench
