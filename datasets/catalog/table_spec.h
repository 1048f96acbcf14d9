#pragma once
// TableSpec: the columns that are read from a file of format "table".

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace okbench {

/// A column of a file, and the values that become 0 and 1.
struct TableColumn {
  std::size_t column = 0;  ///< position in a line, from 0
  double low = 0, high = 1;
  double Mapped(double value) const { return (value - low) / (high - low); }
};

/// Columns of a file of format "table".
struct TableSpec {
  char separator = ',';  ///< ' ': any run of blanks
  bool header = false;   ///< the first line has names
  TableColumn target{};
  std::vector<TableColumn> columns{};  ///< the features, in this order
  /// Columns up to the last one that is read.
  std::size_t fields() const {
    std::size_t last = target.column;
    for (const TableColumn& field : columns) last = std::max(last, field.column);
    return last + 1;
  }
};

/// Text that determines how the file is read: different specs have different texts.
std::string IdentityText(const TableSpec& spec);

}  // namespace okbench
