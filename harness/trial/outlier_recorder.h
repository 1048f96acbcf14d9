#pragma once
// OutlierRecorder: fills the tables "listed" and "listed_rows" of a trace (figure 1 of norma-2001).
// They contain the first margin errors of the stream, and the training and test examples with the largest
// margin violation under the final model. docs/reference/traces.md describes the tables.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/error.h"
#include "harness/trace/trace.h"
#include "learners/api/learner.h"
#include "learners/core/examples.h"
#include "learners/core/math.h"

namespace okbench {

/// Collects outliers of one trial. Not thread-safe.
template <class T>
class OutlierRecorder {
 public:
  /// Records up to `count` examples per list; 0 disables the tables.
  explicit OutlierRecorder(std::uint64_t count) : count_(count) {}

  bool empty() const { return count_ == 0; }

  /// Records step t = 1, 2, ... of the stream if it is one of the first `count` margin errors.
  void Step(std::uint64_t t, std::uint32_t example, const StepOutcome& outcome) {
    if (outcome.margin_error && first_.size() < count_)
      first_.push_back({example, static_cast<std::int64_t>(t), outcome.violation});
  }

  /// Ranks the distinct examples of the stream, and all test examples, by their violation under the final
  /// model. `test` may be null. Throws TrialFailure when a score is not finite.
  void Rank(std::span<const std::uint32_t> stream, const Examples<T>& train, const Examples<T>* test,
            RanksExamples& learner) {
    std::vector<std::uint32_t> shown(stream.begin(), stream.end());
    std::sort(shown.begin(), shown.end());
    shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
    Put(0, first_, train);
    Put(1, Worst(RankedPart::kTraining, shown, learner), train);
    if (test != nullptr) Put(2, Worst(RankedPart::kTest, AllRows(*test), learner), *test);
  }

  /// Appends the two tables. Moves the collected values out.
  void Finish(std::vector<Table>& tables) {
    const char* const names[] = {"list", "rank", "example", "label", "step"};
    Table listed{.name = "listed", .columns = {}};
    for (std::size_t c = 0; c < whole_.size(); ++c)
      listed.columns.push_back({names[c], true, std::move(whole_[c])});
    listed.columns.push_back({"violation", true, std::move(violation_)});
    tables.push_back(std::move(listed));
    tables.push_back({.name = "listed_rows", .columns = {{"value", true, std::move(values_)}}});
  }

 private:
  struct Entry {
    std::uint32_t example;
    std::int64_t step;  // step of a margin error; 0 for ranked examples
    double violation;
  };

  std::vector<Entry> Worst(RankedPart part, std::span<const std::uint32_t> rows,
                           RanksExamples& learner) const {
    std::vector<double> violations(rows.size());
    learner.Violations(part, rows, violations);
    if (!AllFinite(violations)) throw TrialFailure("diverged", "diverged: a score is not finite at the end");
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < rows.size(); ++i) entries.push_back({rows[i], 0, violations[i]});
    const auto count = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(count_, entries.size()));
    // Ties go to the lower row number.
    std::partial_sort(entries.begin(), entries.begin() + count, entries.end(),
                      [](const Entry& a, const Entry& b) {
                        return a.violation != b.violation ? a.violation > b.violation : a.example < b.example;
                      });
    entries.resize(static_cast<std::size_t>(count));
    return entries;
  }

  void Put(std::int64_t list, const std::vector<Entry>& entries, const Examples<T>& examples) {
    std::int64_t rank = 0;
    for (const Entry& entry : entries) {
      const std::int64_t row[] = {list, ++rank, entry.example, examples.label(entry.example), entry.step};
      for (std::size_t c = 0; c < whole_.size(); ++c) whole_[c].push_back(row[c]);
      violation_.push_back(entry.violation);
      const std::size_t first = values_.size();
      values_.resize(first + examples.features(), 0.0);
      const RowView<T> view = examples.row(entry.example);
      for (std::size_t j = 0; j < view.count; ++j)
        values_[first + (view.indices ? view.indices[j] : j)] = static_cast<double>(view.values[j]);
    }
  }

  std::uint64_t count_;
  std::vector<Entry> first_;
  std::array<std::vector<std::int64_t>, 5> whole_;
  std::vector<double> violation_, values_;
};

}  // namespace okbench
