#pragma once
// Results on disk: finding traces and failure records, summaries, and comparing traces bit for bit.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/trial/trace.h"

namespace okbench {

/// One row of a summary, with the keys of docs/trace-format.md.
using SummaryRow = nlohmann::json;

/// Rows for trace files, failure records and folders (searched through; where a folder has a plan.json, only
/// the traces of that plan count). Throws SpecError when a path does not exist or holds no result; a corrupt
/// trace becomes a row with the status "corrupt". `folds`: with the trials of cross validation.
std::vector<SummaryRow> Summarise(const std::vector<std::string>& paths, bool folds);

/// Prints rows as a table for reading.
void PrintSummary(const std::vector<SummaryRow>& rows);

/// Prints rows of cells with their columns aligned; the first row is the head.
void PrintColumns(const std::vector<std::vector<std::string>>& table);

/// The verb `show`: provenance, columns, first and last rows of one trace file.
void ShowTrace(const std::string& path);

/// Where two traces differ first.
struct Difference {
  std::string trial;  ///< file or trial name
  std::string table;  ///< empty when whole files or tables are missing
  std::string column;
  std::int64_t row = -1;  ///< counts from 0
  std::string a, b;       ///< both values, or what is missing
};

/// Compares two trace files, or two folders matched by file name. Only deterministic columns count. Throws
/// TraceError or SpecError when something cannot be read. Empty: they agree bit for bit. `compared` gets the
/// number of pairs.
std::vector<Difference> Compare(const std::string& a, const std::string& b, std::size_t& compared);

}  // namespace okbench
