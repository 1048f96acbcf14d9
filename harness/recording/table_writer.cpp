#include "harness/recording/table_writer.h"

#include "base/error.h"

namespace okbench {

void TableWriter::DefineOrCompare(std::string_view column, bool real, bool deterministic) {
  if (rows_ == 0) columns_.push_back({std::string(column), real, deterministic});
  same_ = same_ && column_ < columns_.size() && columns_[column_].name == column &&
          columns_[column_].real == real;
}

void TableWriter::EndRow() {
  if (!same_ || column_ != columns_.size())
    throw TrialFailure("internal", "the columns of table '" + name_ + "' changed between rows");
  column_ = 0;
  ++rows_;
}

Table TableWriter::ToTable() const {
  Table table{.name = name_, .columns = {}};
  const auto values = [&]<class T>(std::size_t column) {
    std::vector<T> list(rows_);
    for (std::size_t row = 0; row < rows_; ++row)
      list[row] = std::bit_cast<T>(cells_[row * columns_.size() + column]);
    return list;
  };
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    Column column{.name = columns_[c].name, .deterministic = columns_[c].deterministic, .values = {}};
    if (columns_[c].real)
      column.values = values.operator()<double>(c);
    else
      column.values = values.operator()<std::int64_t>(c);
    table.columns.push_back(std::move(column));
  }
  return table;
}

}  // namespace okbench
