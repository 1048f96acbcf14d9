#pragma once
// TableWriter: collects the rows of a table of a trace. Not thread-safe.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/trial/trace.h"

namespace okbench {

class TableWriter {
 public:
  explicit TableWriter(std::string name) : name_(std::move(name)) {}

  /// Adds a cell to the current row. The first row defines the columns; every later row must have the same
  /// ones in the same order. Columns that depend on batching are not deterministic (see Column).
  void Add(std::string_view column, std::int64_t value, bool deterministic = true);
  void Add(std::string_view column, std::uint64_t value, bool deterministic = true) {
    Add(column, static_cast<std::int64_t>(value), deterministic);
  }
  void Add(std::string_view column, double value, bool deterministic = true);
  /// Throws TrialFailure when the row has other columns than the first one.
  void EndRow();

  std::size_t rows() const { return rows_; }
  /// The table so far. REQUIRES: the current row is empty.
  Table ToTable() const;

 private:
  struct Info {
    std::string name;
    bool real, deterministic;
  };
  void AddCell(std::string_view column, std::uint64_t bits, bool real, bool deterministic);

  std::string name_;
  std::vector<Info> columns_;
  std::vector<std::uint64_t> cells_;  // row by row, the bits of int64 or double
  std::size_t rows_ = 0, column_ = 0;
  bool same_ = true;
};

}  // namespace okbench
