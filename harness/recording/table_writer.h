#pragma once
// TableWriter: builds a table of a trace row by row.

#include <bit>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "harness/trace/trace.h"

namespace okbench {

/// Collects the cells of a table. Not thread-safe.
class TableWriter {
 public:
  explicit TableWriter(std::string name) : name_(std::move(name)) {}

  /// Adds a cell to the current row. The first row defines the columns. Every later row must have the same
  /// columns in the same order. `deterministic`: see Column.
  void Add(std::string_view column, std::int64_t value, bool deterministic = true) {
    AddCell(column, std::bit_cast<std::uint64_t>(value), false, deterministic);
  }
  void Add(std::string_view column, std::uint64_t value, bool deterministic = true) {
    Add(column, static_cast<std::int64_t>(value), deterministic);
  }
  void Add(std::string_view column, double value, bool deterministic = true) {
    AddCell(column, std::bit_cast<std::uint64_t>(value), true, deterministic);
  }
  /// Ends the row. Throws TrialFailure if the number of columns differs from the first row. In the second
  /// row, names and types are compared, too.
  void EndRow();

  std::size_t rows() const { return rows_; }
  /// The table so far. REQUIRES: the current row is empty.
  Table ToTable() const;

 private:
  struct Info {
    std::string name;
    bool real, deterministic;
  };
  // Checks names and types in the second row only: they depend on the configuration, not on the step.
  // Comparing them in every row takes longer than a step of a linear method.
  void AddCell(std::string_view column, std::uint64_t bits, bool real, bool deterministic) {
    if (rows_ < 2) DefineOrCompare(column, real, deterministic);
    cells_.push_back(bits);
    ++column_;
  }
  // Adds the column in the first row. Compares it with that column in the second row.
  void DefineOrCompare(std::string_view column, bool real, bool deterministic);

  std::string name_;
  std::vector<Info> columns_;
  std::deque<std::uint64_t> cells_;  // row-major; bits of an int64 or a double; a deque does not move them
  std::size_t rows_ = 0, column_ = 0;
  bool same_ = true;
};

}  // namespace okbench
