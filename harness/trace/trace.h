#pragma once
// Trace: the result of a trial, in memory. trace_file.h reads and writes it on disk.

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

namespace okbench {

/// One column of int64 or double values. A column is not deterministic when it depends on batching (kernel
/// values computed ahead) or on time. Such columns are excluded from the digest.
struct Column {
  std::string name;
  bool deterministic = true;
  std::variant<std::vector<std::int64_t>, std::vector<double>> values;
  std::size_t size() const {
    return std::visit([](const auto& v) { return v.size(); }, values);
  }
  /// The value in a row, formatted with all its digits.
  std::string Text(std::size_t row) const;
};

/// A table. All columns have the same length.
struct Table {
  std::string name;  ///< such as "trace" or "checkpoints"; see docs/reference/traces.md
  std::vector<Column> columns;
  /// The column of this name, or null.
  const Column* Find(const std::string& column) const;
  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
};

/// Over which examples a trace counts mistakes (provenance `counted`): those shown so far, or in every row
/// the whole training set.
inline constexpr const char* kCountedShown = "examples shown";
inline constexpr const char* kCountedTraining = "training set";
/// Which kernel values are counted (summary `counted`) when a learner could also compute kernels by itself:
/// only the values of the kernel object that it received.
inline constexpr const char* kCountedHanded = "handed kernel";

/// Result of a trial, in memory.
struct Trace {
  std::vector<Table> tables;
  nlohmann::json spec;        ///< Trial::canonical
  nlohmann::json summary;     ///< numbers of the last step; see docs/reference/traces.md
  nlohmann::json provenance;  ///< program, machine, time and data files of the run
  std::string trial_id;
  /// The table of this name, or null.
  const Table* Find(const std::string& table) const;
  /// SHA-256 in hexadecimal over names, types and little-endian bytes of the deterministic columns.
  std::string Digest() const;
  /// Spec and summary as flattened JSON, without the counts that depend on batching (kernel evaluations
  /// "computed" and "terms"). Equal for equal trials, like the digest.
  nlohmann::json ComparableJson() const;
};

/// Number of training examples of a trial, without those of data.max_examples and folds that it leaves out.
/// For traces without provenance `training_examples`: rows of the training part, at most data.max_examples;
/// 0 if the trace does not say.
std::uint64_t TrainingExamples(const Trace& trace);

/// The steps that a trace records, out of 1 .. `steps`:
/// - every step up to `dense`,
/// - log-spaced steps after that, `per_decade` for each factor of 10,
/// - every multiple of `every` (0: none),
/// - the steps `steps - b` for each b in `from_end`,
/// - the last step.
class RecordedSteps {
 public:
  RecordedSteps(std::uint64_t steps, std::uint64_t dense, std::uint64_t per_decade,
                const std::vector<std::uint64_t>& from_end, std::uint64_t every = 0);
  /// Whether step t is recorded. REQUIRES: t increases from call to call. Amortized O(1).
  bool Contains(std::uint64_t t);

 private:
  static constexpr std::uint64_t kNever = static_cast<std::uint64_t>(-1);

  void NextSpaced();

  std::uint64_t steps_, dense_, every_;
  double first_, rate_;
  std::uint64_t k_ = 0, spaced_ = 0;  // index after, and value of, the current log-spaced step
  std::vector<std::uint64_t> last_;   // sorted: the steps counted from the end, and the last step
  std::size_t next_ = 0;              // current position in last_
};

}  // namespace okbench
