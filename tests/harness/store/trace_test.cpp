#include "harness/trial/trace.h"

#include <catch2/catch.hpp>
#include <limits>

#include "harness/store/results.h"
#include "harness/store/trace_file.h"
#include "harness/system/error.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using Catch::Contains;

Trace Sample() {
  Trace trace;
  trace.trial_id = "0123456789abcdef";
  trace.spec = {{"experiment", "a/b"}};
  trace.summary = {{"examples", 3}};
  trace.provenance = {{"stand_in", false}};
  trace.tables.push_back(
      {"trace",
       {{"step", true, std::vector<std::int64_t>{1, 2, 3}},
        {"kernel_computed", false, std::vector<std::int64_t>{1, 5, 9}},
        {"loss", true, std::vector<double>{0.1, -0.0, std::numeric_limits<double>::min()}}}});
  trace.tables.push_back({"checkpoints", {{"step", true, std::vector<std::int64_t>{}}}});
  return trace;
}

std::vector<double>& Loss(Trace& trace) {
  return std::get<std::vector<double>>(trace.tables[0].columns[2].values);
}

TEST_CASE("a trace comes back as it was written") {
  const testing::TemporaryFolder folder;
  const Trace trace = Sample();
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
        1);  // no temporary file stays
}

TEST_CASE("the digest covers deterministic columns to the last bit, and no others") {
  Trace trace = Sample();
  const std::string digest = trace.Digest();
  std::get<std::vector<std::int64_t>>(trace.tables[0].columns[1].values)[0] = 77;
  CHECK(trace.Digest() == digest);
  Loss(trace)[1] = 0.0;  // the sign of a zero
  CHECK(trace.Digest() != digest);
}

TEST_CASE("damaged files are no traces") {
  const testing::TemporaryFolder folder;
  WriteTrace(folder.File("t.h5"), Sample());
  CHECK_THROWS_WITH(ReadTrace(folder.File("none.h5")), Contains("no such trace file"));
  CHECK_THROWS_WITH(ReadTrace(folder.Write("text.h5", "hello")), Contains("not a valid trace file"));
  const auto size = std::filesystem::file_size(folder.File("t.h5"));
  std::ifstream in(folder.File("t.h5"), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  for (const std::size_t keep : {size / 10, size / 2, size - 100})
    CHECK_THROWS_AS(ReadTrace(folder.Write("cut.h5", bytes.substr(0, keep))), TraceError);
}

TEST_CASE("a trace that cannot be written leaves nothing behind") {
  const testing::TemporaryFolder folder;
  CHECK_THROWS_AS(WriteTrace(folder.File("no/such/folder/t.h5"), Sample()), TraceError);
  CHECK_THROWS_AS(WriteTrace("/dev/full/t.h5", Sample()), TraceError);
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("comparing names the first differing column, row and both values") {
  const testing::TemporaryFolder folder;
  std::size_t compared = 0;
  WriteTrace(folder.File("a.h5"), Sample());
  WriteTrace(folder.File("b.h5"), Sample());
  CHECK(Compare(folder.File("a.h5"), folder.File("b.h5"), compared).empty());
  Trace other = Sample();
  Loss(other)[2] = 0.5;
  WriteTrace(folder.File("b.h5"), other);
  const auto differences = Compare(folder.File("a.h5"), folder.File("b.h5"), compared);
  REQUIRE(differences.size() == 1);
  CHECK(differences[0].column == "loss");
  CHECK(differences[0].row == 2);
  CHECK(differences[0].b == "0.5");
  other = Sample();
  other.tables[0].columns.pop_back();
  WriteTrace(folder.File("b.h5"), other);
  CHECK(Compare(folder.File("a.h5"), folder.File("b.h5"), compared).at(0).b == "missing");
  CHECK_THROWS_AS(Compare(folder.File("a.h5"), folder.File("none.h5"), compared), SpecError);
}

TEST_CASE("recorded steps: dense, then log-spaced, some from the end, always the last") {
  RecordedSteps steps(100000, 100, 10, {4500, 0});
  std::vector<std::uint64_t> recorded;
  for (std::uint64_t t = 1; t <= 100000; ++t)
    if (steps.Contains(t)) recorded.push_back(t);
  CHECK(recorded[99] == 100);
  CHECK(recorded.back() == 100000);
  CHECK(std::count(recorded.begin(), recorded.end(), 95500) == 1);
  CHECK(recorded.size() == 100 + 29 + 1 + 1);  // three decades of 10, the first of which is step 100 itself
  CHECK(recorded[100] == 125);
  RecordedSteps all(50, 100, 10, {});
  for (std::uint64_t t = 1; t <= 50; ++t) CHECK(all.Contains(t));
}

}  // namespace
}  // namespace okbench
