#include "harness/trace/trace_file.h"

#include <cmath>

#include "base/error.h"
#include "harness/trace/trace_image.h"
#include "tests/catch.h"
#include "tests/harness/sample_trace.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using Catch::Contains;
using testing::SampleTrace;

TEST_CASE("a trace is read back exactly as written") {
  const testing::TemporaryFolder folder;
  const Trace trace = SampleTrace();
  WriteTrace(folder.File("t.h5"), trace);
  const Trace back = ReadTrace(folder.File("t.h5"));
  CHECK(back.trial_id == trace.trial_id);
  CHECK(back.spec == trace.spec);
  CHECK(back.summary == trace.summary);
  CHECK(back.Digest() == trace.Digest());
  REQUIRE(back.tables.size() == 2);
  CHECK(back.tables[0].columns[1].deterministic == false);
  CHECK(std::signbit(std::get<std::vector<double>>(back.tables[0].columns[2].values)[1]));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) ==
        1);  // no temporary file remains
}

TEST_CASE("damaged trace files are rejected") {
  const testing::TemporaryFolder folder;
  WriteTrace(folder.File("t.h5"), SampleTrace());
  CHECK_THROWS_WITH(ReadTrace(folder.File("none.h5")), Contains("no such trace file"));
  CHECK_THROWS_WITH(ReadTrace(folder.Write("text.h5", "hello")), Contains("not a valid trace file"));
  const auto size = std::filesystem::file_size(folder.File("t.h5"));
  std::ifstream in(folder.File("t.h5"), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  for (const std::size_t keep : {size / 10, size / 2, size - 100})
    CHECK_THROWS_AS(ReadTrace(folder.Write("cut.h5", bytes.substr(0, keep))), TraceError);
}

TEST_CASE("content outside the trace's digests is rejected, even with a valid file digest") {
  const testing::TemporaryFolder folder;
  Trace trace = SampleTrace();
  std::string image = MakeImage(trace);
  // Changes the error rate in the text of the summary in place.
  const std::string summary = trace.summary.dump();
  const std::size_t at = image.find(summary);
  REQUIRE(at != std::string::npos);
  const std::size_t digit = image.find_first_of("123456789", at);
  REQUIRE(digit < at + summary.size());
  image[digit] = image[digit] == '1' ? '2' : '1';
  // HDF5 2 stores checksums, and reports a damaged attribute as missing.
  CHECK_THROWS_WITH(ParseImage(image), Contains("spec, summary and id") || Contains("is missing"));
}

TEST_CASE("texts that a terminal would obey are rejected") {
  const testing::TemporaryFolder folder;
  for (const char* label : {"\x1b[2J", "a\x7f",
                            "\xc2\x9b"
                            "2J"}) {
    Trace trace = testing::SampleTrace();
    trace.provenance["label"] = label;
    WriteTrace(folder.File("t.h5"), trace);
    CHECK_THROWS_WITH(ReadTrace(folder.File("t.h5")), Catch::Contains("control characters"));
  }
  Trace trace = testing::SampleTrace();
  trace.provenance["label"] = "\u03b5-insensitive \u00e9";
  WriteTrace(folder.File("t.h5"), trace);
  CHECK(ReadTrace(folder.File("t.h5")).provenance == trace.provenance);
}

TEST_CASE("a failed write leaves no file") {
  const testing::TemporaryFolder folder;
  CHECK_THROWS_AS(WriteTrace(folder.File("no/such/folder/t.h5"), SampleTrace()), TraceError);
  CHECK_THROWS_AS(WriteTrace("/dev/full/t.h5", SampleTrace()), TraceError);
  CHECK(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace okbench
