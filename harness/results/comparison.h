#pragma once
// Compares traces bit by bit.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace okbench {

/// The first difference between two traces.
struct Difference {
  std::string trial;      ///< file name of the trace
  std::string table;      ///< table, "spec" or "summary"; empty when one side lacks the file
  std::string column;     ///< column, or path of a spec or summary entry; empty for a whole table
  std::int64_t row = -1;  ///< row number from 0; -1 when the difference is not in a row
  std::string a, b;       ///< the two values, or "present" and "missing"
};

/// Result of Compare.
struct Comparison {
  std::size_t compared = 0;             ///< pairs of traces compared
  std::vector<Difference> differences;  ///< at most one per pair, and one per file that one side lacks
};

/// Compares two trace files, or the traces in two folders with equal relative paths: deterministic columns,
/// spec and summary. Traces in segments whose summary rows agree are not read; `okbench verify` compares the
/// rows with the traces. Throws TraceError or SpecError when something cannot be read.
Comparison Compare(const std::string& a, const std::string& b);

}  // namespace okbench
