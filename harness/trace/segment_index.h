#pragma once
// SegmentIndex: which trial of an experiment's folder is in which segment. It is made from the segments and
// never stored, so it cannot disagree with them.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/trace/segment.h"

namespace okbench {

/// The segments of one folder. Thread-safe.
class SegmentIndex {
 public:
  /// Position of a trial: number of the segment, and position in it.
  struct Place {
    std::uint32_t segment = 0, position = 0;
  };

  /// The index of a folder. Reads the segments that no earlier call for this folder has read.
  static std::shared_ptr<const SegmentIndex> Of(const std::filesystem::path& folder);
  /// Makes Of() look for new segments, even if the time stamps of the folders have not changed.
  static void Refresh();

  /// Reads the segments of a folder, except those that `before` contains. A folder that does not exist has
  /// none.
  explicit SegmentIndex(const std::filesystem::path& folder, const SegmentIndex* before = nullptr);

  /// The newest result under this file name; null if no segment has one.
  const Place* Find(const std::string& file) const;
  std::size_t trials() const { return places_.size(); }
  const std::vector<std::filesystem::path>& segments() const { return segments_; }
  /// Names of the trace files in a segment; none if it is damaged.
  const std::vector<std::string>& files(std::uint32_t segment) const { return contents_[segment]->files; }
  /// A segment by its number. Keeps the last few in memory. Throws TraceError.
  std::shared_ptr<const Segment> Open(std::uint32_t segment) const;
  /// Whether a segment could not be read.
  bool IsDamaged(std::uint32_t segment) const { return !contents_[segment]->damage.empty(); }
  /// Messages about damaged segments. Their trials count as missing.
  std::vector<std::string> damaged() const;

 private:
  struct Content {
    std::vector<std::string> files;
    std::int64_t created = 0;
    std::string damage;  // why the segment cannot be read; empty if it can
  };

  static std::shared_ptr<const Content> Read(const std::filesystem::path& segment);
  // The content of a valid segment of this index; null for others. Equal names of segments mean equal bytes,
  // because the name follows from the bytes.
  std::shared_ptr<const Content> Known(const std::filesystem::path& segment) const;

  std::vector<std::filesystem::path> segments_;
  std::vector<std::shared_ptr<const Content>> contents_;  // by segment
  std::unordered_map<std::string_view, Place> places_;    // keys in contents_
  mutable std::mutex mutex_;
  mutable std::vector<std::pair<std::uint32_t, std::shared_ptr<const Segment>>>
      open_;  // last used at the end
};

/// Whether a segment of the folder has a result under the path of this trace file.
bool IsPacked(const std::filesystem::path& file);

}  // namespace okbench
