#pragma once
// Segments: files that hold the results of many trials of one experiment (docs/reference/traces.md). A
// segment is a user block (user_block.h) and an HDF5 file with five lists:
//
//   file       names of the trace files that the trials would have alone
//   trace      bytes of these files, one after another, compressed
//   trace_end  position in `trace` after the last byte of each file
//   row        summary rows of the trials (row.h) as JSON, one after another, compressed
//   row_end    position in `row` after the last byte of each row
//
// Segments are written atomically and never changed. The rows repeat what the traces say, so that a summary
// of many trials need not read the traces.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace okbench {

/// The result of one trial in a segment.
struct PackedTrial {
  std::string file;   ///< name of its trace file, without a folder
  std::string trace;  ///< bytes of that file
  std::string row;    ///< summary row as JSON
};

/// Whether a file name is that of a segment: segment-*.h5.
bool IsSegment(const std::filesystem::path& path);

/// Writes a segment atomically into the folder, under a name that follows from its bytes. Returns its path.
/// Throws TraceError (disk full, folder not writable) and leaves no file behind.
std::filesystem::path WriteSegment(const std::filesystem::path& folder,
                                   const std::vector<PackedTrial>& trials);

/// A segment in memory. Thread-safe.
class Segment {
 public:
  /// Reads a segment and verifies its digest. Throws TraceError, which starts with the path, if the file is
  /// missing, damaged, or not a segment.
  explicit Segment(const std::filesystem::path& path);
  ~Segment();
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Names of the trace files, in the order of writing.
  const std::vector<std::string>& files() const;
  /// When the segment was written, in nanoseconds since 1970.
  std::int64_t created() const;
  /// Bytes of a trace file. REQUIRES: i < files().size(). Throws TraceError.
  std::string Trace(std::size_t i) const;
  /// The summary rows of all trials, as JSON. Throws TraceError.
  std::vector<std::string> Rows() const;

 private:
  struct Content;
  std::filesystem::path path_;
  std::unique_ptr<Content> content_;
};

}  // namespace okbench
