// Segments: many traces in one file, each with the bytes it would have alone.

#include "harness/trace/segment.h"

#include <fstream>

#include "base/error.h"
#include "harness/results/merge.h"
#include "harness/results/result_folder.h"
#include "harness/results/result_writer.h"
#include "harness/results/row.h"
#include "harness/results/verify.h"
#include "harness/trace/segment_index.h"
#include "harness/trace/trace_file.h"
#include "tests/catch.h"
#include "tests/harness/sample_trace.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using Catch::Contains;
using testing::CompleteTrace;

const ResultWriter::Stored kStored = [](const std::string& error) { CHECK(error.empty()); };

TEST_CASE("a packed trace has the bytes of its file") {
  const testing::TemporaryFolder folder;
  const testing::TemporaryFolder alone;
  ResultWriter writer;
  for (const char* name : {"a", "b", "c"}) {
    writer.Pack(folder.File(std::string(name) + ".h5"), CompleteTrace(name), kStored);
    WriteTrace(alone.File(std::string(name) + ".h5"), CompleteTrace(name));
  }
  CHECK(!IsPacked(folder.File("a.h5")));  // not yet on disk
  writer.Finish();
  const SegmentIndex index(folder.path());
  CHECK(index.segments().size() == 1);
  CHECK(index.trials() == 3);
  CHECK(index.Open(0)->files() == std::vector<std::string>{"a.h5", "b.h5", "c.h5"});
  const std::vector<std::string> rows = index.Open(0)->Rows();
  nlohmann::json scratch;
  for (const std::size_t i : {0, 1, 2}) {
    const std::string file = index.Open(0)->files()[i];
    CHECK(HasTrace(folder.File(file)));
    CHECK(ReadBytes(folder.File(file)) == ReadBytes(alone.File(file)));
    CHECK(ParseRow(rows[i], scratch) == RowOf(ReadTrace(alone.File(file)), std::nullopt));
  }
  CHECK(!HasTrace(folder.File("d.h5")));
  CHECK_THROWS_WITH(ReadTrace(folder.File("d.h5")), Contains("no such trace file"));
}

TEST_CASE("the newest result of a trial counts, and a failure record precedes it") {
  const testing::TemporaryFolder folder;
  const std::string file = folder.File("a.h5");
  const auto pack = [&](double loss) {
    Trace trace = CompleteTrace("a");
    testing::Loss(trace)[0] = loss;
    ResultWriter writer;
    writer.Pack(file, trace, kStored);
    writer.Finish();
  };
  pack(0.5);
  pack(0.25);
  CHECK(SegmentIndex(folder.path()).segments().size() == 2);
  Trace read = ReadTrace(file);
  CHECK(testing::Loss(read)[0] == 0.25);
  folder.Write("a.failed.json", "{}");
  CHECK(!HasTrace(file));
  // A result removes the failure record and the trace file of an earlier run.
  WriteTrace(file, CompleteTrace("a"));
  pack(0.75);
  CHECK(!std::filesystem::exists(file));
  CHECK(HasTrace(file));
  read = ReadTrace(file);
  CHECK(testing::Loss(read)[0] == 0.75);
}

TEST_CASE("the small segments of a run are joined") {
  const testing::TemporaryFolder folder;
  ResultWriter writer;
  for (const char* name : {"a", "b", "c"}) {
    writer.Pack(folder.File(std::string(name) + ".h5"), CompleteTrace(name), kStored);
    writer.Flush();
  }
  CHECK(SegmentIndex(folder.path()).segments().size() == 3);
  writer.Finish();
  CHECK(SegmentIndex(folder.path()).segments().size() == 1);
  for (const char* name : {"a", "b", "c"})
    CHECK(ReadTrace(folder.File(std::string(name) + ".h5")).trial_id == CompleteTrace(name).trial_id);
}

TEST_CASE("every damaged byte of a segment is noticed, and its trials count as missing") {
  const testing::TemporaryFolder folder;
  const std::filesystem::path path =
      WriteSegment(folder.path(), {{.file = "a.h5", .trace = TraceBytes(CompleteTrace("a")), .row = "{}"}});
  const std::string bytes = ReadBytes(path.string());
  for (std::size_t at = 0; at < bytes.size(); at += bytes.size() / 97) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    std::ofstream(path, std::ios::binary) << damaged;
    CHECK_THROWS_WITH(Segment(path), Contains("not a valid segment"));
  }
  std::ofstream(path, std::ios::binary) << bytes.substr(0, bytes.size() / 2);
  const SegmentIndex index(folder.path());
  REQUIRE(index.damaged().size() == 1);
  CHECK_THAT(index.damaged()[0], Contains(path.filename().string()));
  CHECK(index.Find("a.h5") == nullptr);
}

TEST_CASE("a segment with invalid file names or rows is rejected") {
  const testing::TemporaryFolder folder;
  for (const char* name : {"../a.h5", "b/a.h5", ""})
    CHECK_THROWS_WITH(Segment(WriteSegment(folder.path(), {{.file = name, .trace = "t", .row = "{}"}})),
                      Contains("invalid file name"));
  nlohmann::json scratch;
  for (const char* text : {"", "[]", "{}", "null", "{\"status\": \"ok\"}"})
    CHECK_THROWS_AS(ParseRow(text, scratch), TraceError);
}

}  // namespace
}  // namespace okbench
