#pragma once
// Comparing traces bit for bit.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace okbench {

/// Where two traces differ first.
struct Difference {
  std::string trial;  ///< file or trial name
  std::string table;  ///< empty when whole files or tables are missing
  std::string column;
  std::int64_t row = -1;  ///< counts from 0
  std::string a, b;       ///< both values, or what is missing
};

struct Comparison {
  std::size_t compared = 0;             ///< pairs of traces
  std::vector<Difference> differences;  ///< one a pair at most; files that one side lacks are among them
};

/// Compares two trace files, or two folders matched by file name. Only deterministic columns count. Throws
/// TraceError or SpecError when something cannot be read.
Comparison Compare(const std::string& a, const std::string& b);

}  // namespace okbench
