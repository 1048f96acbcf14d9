#include "harness/trace/trace.h"

#include <algorithm>

#include "base/error.h"
#include "harness/recording/table_writer.h"
#include "tests/catch.h"
#include "tests/harness/sample_trace.h"

namespace okbench {
namespace {

using testing::Loss;
using testing::SampleTrace;

TEST_CASE("the trace digest covers exactly the bits of the deterministic columns") {
  Trace trace = SampleTrace();
  const std::string digest = trace.Digest();
  std::get<std::vector<std::int64_t>>(trace.tables[0].columns[1].values)[0] = 77;
  CHECK(trace.Digest() == digest);
  Loss(trace)[1] = 0.0;  // the sign of a zero
  CHECK(trace.Digest() != digest);
}

TEST_CASE("recorded steps: dense first, then log-spaced, and always the last") {
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

TEST_CASE("a table is written row by row, and all rows have the columns of the first") {
  TableWriter writer("t");
  for (const int row : {0, 1, 2}) {
    writer.Add("step", std::int64_t{row});
    writer.Add("loss", 0.5 * row, false);
    writer.EndRow();
  }
  const Table table = writer.ToTable();
  REQUIRE(table.columns.size() == 2);
  CHECK(table.columns[0].name == "step");
  CHECK(std::get<std::vector<std::int64_t>>(table.columns[0].values) == std::vector<std::int64_t>{0, 1, 2});
  CHECK(std::get<std::vector<double>>(table.columns[1].values) == std::vector<double>{0, 0.5, 1});
  CHECK(table.columns[0].deterministic);
  CHECK_FALSE(table.columns[1].deterministic);

  const auto second = [](auto add) {
    TableWriter other("t");
    other.Add("step", std::int64_t{1});
    other.EndRow();
    add(other);
    other.EndRow();
  };
  const char* const message = "the columns of table 't' changed between rows";
  CHECK_THROWS_WITH(second([](TableWriter& w) { w.Add("other", std::int64_t{1}); }), message);
  CHECK_THROWS_WITH(second([](TableWriter& w) { w.Add("step", 1.0); }), message);
  CHECK_THROWS_WITH(second([](TableWriter&) {}), message);
  writer.Add("step", std::int64_t{3});  // the fourth row has too few columns
  CHECK_THROWS_WITH(writer.EndRow(), message);
}

}  // namespace
}  // namespace okbench
