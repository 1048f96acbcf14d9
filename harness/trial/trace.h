#pragma once
// Trace: what a trial leaves behind, in memory. trace_file.h puts it on disk.

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

namespace okbench {

/// One column. Columns that depend on how the work was batched (kernel values computed ahead) are not
/// deterministic and stay out of the digest.
struct Column {
  std::string name;
  bool deterministic = true;
  std::variant<std::vector<std::int64_t>, std::vector<double>> values;
  std::size_t size() const {
    return std::visit([](const auto& v) { return v.size(); }, values);
  }
  /// One value, with all its digits.
  std::string Text(std::size_t row) const;
};

/// A table of equally long columns.
struct Table {
  std::string name;  ///< "trace" or "checkpoints"
  std::vector<Column> columns;
  const Column* Find(const std::string& column) const;
  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
};

/// What a trace's counts of mistakes are over (provenance `counted`): the examples shown so far, or the whole
/// training set at every row.
inline constexpr const char* kCountedShown = "examples shown";
inline constexpr const char* kCountedTraining = "training set";
/// Where it was not the method that could only ask the engine: which kernel values are counted (summary
/// `counted`).
inline constexpr const char* kCountedHanded = "handed kernel";

/// Result of a trial, in memory.
struct Trace {
  std::vector<Table> tables;
  nlohmann::json spec;        ///< Trial::canonical
  nlohmann::json summary;     ///< numbers of the last step, see docs/trace-format.md
  nlohmann::json provenance;  ///< where, when and with what it was made
  std::string trial_id;
  const Table* Find(const std::string& table) const;
  /// SHA-256 over names, types and little-endian bytes of the deterministic columns.
  std::string Digest() const;
  /// Spec and summary without what depends on how the work was batched (kernel values computed ahead),
  /// flattened: equal for equal trials, like the digest.
  nlohmann::json Facts() const;
};

/// Which steps a trace records: all up to `dense`, then log-spaced ones, those that `every` divides, some
/// counted from the end, and the last.
class RecordedSteps {
 public:
  RecordedSteps(std::uint64_t steps, std::uint64_t dense, std::uint64_t per_decade,
                const std::vector<std::uint64_t>& from_end, std::uint64_t every = 0);
  /// Whether step t (1, 2, ...; ask in increasing order) is recorded.
  bool Contains(std::uint64_t t);

 private:
  static constexpr std::uint64_t kNever = static_cast<std::uint64_t>(-1);

  void NextSpaced();

  std::uint64_t steps_, dense_, every_;
  double first_, rate_;
  std::uint64_t k_ = 0, spaced_ = 0;  // the next log-spaced step
  std::vector<std::uint64_t> last_;   // sorted: those counted from the end, and the last one
  std::size_t next_ = 0;              // of them
};

}  // namespace okbench
