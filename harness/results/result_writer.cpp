#include "harness/results/result_writer.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "harness/results/result_folder.h"
#include "harness/results/row.h"
#include "harness/trace/segment_index.h"
#include "harness/trace/trace_file.h"

namespace okbench {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds kLongestWait{5};
// Segments with fewer results are joined at the end of a run.
constexpr std::size_t kSmallSegment = ResultWriter::kSegmentTrials / 4;

}  // namespace

void ResultWriter::Pack(const fs::path& file, const Trace& trace, Stored stored) {
  RemoveFailure(file);
  PackedTrial trial{.file = file.filename().string(),
                    .trace = TraceBytes(trace),
                    .row = RowOf(trace, std::nullopt).Json().dump()};
  std::map<fs::path, Waiting> full;
  {
    const std::lock_guard lock(mutex_);
    if (count_ == 0) oldest_ = std::chrono::steady_clock::now();
    Waiting& waiting = waiting_[file.parent_path()];
    waiting.trials.push_back(std::move(trial));
    waiting.stored.push_back(std::move(stored));
    if (++count_ < kSegmentTrials && std::chrono::steady_clock::now() - oldest_ < kLongestWait) return;
    full = std::exchange(waiting_, {});
    count_ = 0;
  }
  Write(std::move(full));
}

void ResultWriter::Flush() {
  std::map<fs::path, Waiting> all;
  {
    const std::lock_guard lock(mutex_);
    all = std::exchange(waiting_, {});
    count_ = 0;
  }
  Write(std::move(all));
}

void ResultWriter::Write(std::map<fs::path, Waiting> folders) {
  for (auto& [folder, waiting] : folders) {
    std::string error;
    try {
      const Written written{.path = WriteSegment(folder, waiting.trials), .trials = waiting.trials.size()};
      // A trace file of an earlier run would hide the new result.
      for (const PackedTrial& trial : waiting.trials) fs::remove(folder / trial.file);
      const std::lock_guard lock(mutex_);
      written_[folder].push_back(written);
      SegmentIndex::Refresh();
    } catch (const std::exception& cause) {
      error = cause.what();
    }
    for (const Stored& stored : waiting.stored) stored(error);
  }
}

void ResultWriter::Finish() {
  Flush();
  const std::lock_guard lock(mutex_);
  for (auto& [folder, segments] : written_) {
    std::erase_if(segments, [](const Written& entry) { return entry.trials >= kSmallSegment; });
    for (auto first = segments.begin(); first != segments.end();) {
      std::size_t trials = 0;
      auto end = first;
      while (end != segments.end() && trials + end->trials <= kSegmentTrials) trials += (end++)->trials;
      if (end - first > 1) {
        std::vector<PackedTrial> joined;
        for (auto entry = first; entry != end; ++entry) {
          const Segment segment(entry->path);
          std::vector<std::string> rows = segment.Rows();
          for (std::size_t i = 0; i < rows.size(); ++i)
            joined.push_back(
                {.file = segment.files()[i], .trace = segment.Trace(i), .row = std::move(rows[i])});
        }
        WriteSegment(folder, joined);
        for (auto entry = first; entry != end; ++entry) fs::remove(entry->path);
      }
      first = end;
    }
  }
  written_.clear();
  SegmentIndex::Refresh();
}

}  // namespace okbench
