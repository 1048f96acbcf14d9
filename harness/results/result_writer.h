#pragma once
// ResultWriter: stores the results of a run, each in a file or many in a segment.

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "harness/trace/segment.h"
#include "harness/trace/trace.h"

namespace okbench {

/// Number of planned trials above which an experiment's results are packed into segments.
inline constexpr std::size_t kPackedPlan = 10000;

/// Collects results for segments. A segment is written when it has kSegmentTrials results or its oldest
/// result has waited 5 seconds, so that one flush to disk serves many short trials. Thread-safe.
class ResultWriter {
 public:
  /// Called once for each result, after it is on disk, or with the reason why it cannot be stored.
  using Stored = std::function<void(const std::string& error)>;

  static constexpr std::size_t kSegmentTrials = 4096;

  /// Stores the result of a trial under the path of its trace file, at the latest in Flush(). `stored` may be
  /// called by another thread that writes the segment.
  void Pack(const std::filesystem::path& file, const Trace& trace, Stored stored);

  /// Writes the waiting results.
  void Flush();

  /// Writes the waiting results and joins the small segments of this writer, so that a run leaves few files.
  /// Throws TraceError if segments cannot be joined; then the small ones remain.
  void Finish();

 private:
  struct Waiting {
    std::vector<PackedTrial> trials;
    std::vector<Stored> stored;
  };
  struct Written {
    std::filesystem::path path;
    std::size_t trials = 0;
  };

  void Write(std::map<std::filesystem::path, Waiting> folders);

  std::mutex mutex_;
  std::map<std::filesystem::path, Waiting> waiting_;  // by folder
  std::size_t count_ = 0;                             // results in waiting_
  std::chrono::steady_clock::time_point oldest_;
  std::map<std::filesystem::path, std::vector<Written>> written_;  // by folder
};

}  // namespace okbench
