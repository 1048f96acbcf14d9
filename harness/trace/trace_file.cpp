#include "harness/trace/trace_file.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/whole_file.h"
#include "harness/trace/segment_index.h"
#include "harness/trace/trace_image.h"
#include "harness/trace/user_block.h"

namespace okbench {
namespace {

constexpr std::string_view kTraceMagic = "okbench-trace 2\n";

}  // namespace

std::string ReadBytes(const std::string& path) {
  if (std::filesystem::is_regular_file(path)) return WholeFile<TraceError>(path);
  const std::filesystem::path file(path);
  for (int attempt = 1;; ++attempt) {
    const auto index = SegmentIndex::Of(file.parent_path());
    const SegmentIndex::Place* place = index->Find(file.filename().string());
    if (place == nullptr) throw TraceError(path + ": no such trace file");
    try {
      return index->Open(place->segment)->Trace(place->position);
    } catch (const TraceError&) {
      // Another run may just have joined this segment with others.
      if (attempt == 2 || std::filesystem::exists(index->segments()[place->segment])) throw;
      SegmentIndex::Refresh();
    }
  }
}

std::string TraceBytes(const Trace& trace) { return WithUserBlock(kTraceMagic, MakeImage(trace)); }

void WriteTrace(const std::string& path, const Trace& trace) {
  std::string bytes;
  try {
    bytes = TraceBytes(trace);
  } catch (const TraceError& error) {
    throw TraceError(path + ": " + error.what());
  }
  WriteFileAtomically(path, bytes.data(), bytes.size());
}

Trace ParseTrace(std::string_view bytes, const std::string& path) {
  try {
    return ParseImage(VerifiedImage(kTraceMagic, bytes));
  } catch (const TraceError& error) {
    throw TraceError(path + ": not a valid trace file: " + error.what());
  }
}

Trace ReadTrace(const std::string& path) { return ParseTrace(ReadBytes(path), path); }

}  // namespace okbench
