#include "harness/results/comparison.h"

#include "base/error.h"
#include "harness/results/row.h"
#include "harness/trace/segment.h"
#include "harness/trace/trace_file.h"
#include "tests/catch.h"
#include "tests/harness/sample_trace.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using testing::Loss;
using testing::SampleTrace;

TEST_CASE("comparing traces reports the first differing column, row and both values") {
  const testing::TemporaryFolder folder;
  WriteTrace(folder.File("a.h5"), SampleTrace());
  WriteTrace(folder.File("b.h5"), SampleTrace());
  const Comparison same = Compare(folder.File("a.h5"), folder.File("b.h5"));
  CHECK(same.compared == 1);
  CHECK(same.differences.empty());
  Trace other = SampleTrace();
  Loss(other)[2] = 0.5;
  WriteTrace(folder.File("b.h5"), other);
  const auto differences = Compare(folder.File("a.h5"), folder.File("b.h5")).differences;
  REQUIRE(differences.size() == 1);
  CHECK(differences[0].column == "loss");
  CHECK(differences[0].row == 2);
  CHECK(differences[0].b == "0.5");
  other = SampleTrace();
  other.tables[0].columns.pop_back();
  WriteTrace(folder.File("b.h5"), other);
  CHECK(Compare(folder.File("a.h5"), folder.File("b.h5")).differences.at(0).b == "missing");
  CHECK_THROWS_AS(Compare(folder.File("a.h5"), folder.File("none.h5")), SpecError);
}

TEST_CASE("traces with different summaries differ, except for computed evaluations") {
  const testing::TemporaryFolder folder;
  Trace a = SampleTrace(), b = SampleTrace();
  a.summary["kernel_evaluations"] = {{"requested", 5}, {"computed", 5}};
  b.summary["kernel_evaluations"] = {{"requested", 5}, {"computed", 9}};
  WriteTrace(folder.File("a.h5"), a);
  WriteTrace(folder.File("b.h5"), b);
  CHECK(Compare(folder.File("a.h5"), folder.File("b.h5")).differences.empty());
  b.summary["error_rate"] = 0.1117;
  WriteTrace(folder.File("b.h5"), b);
  const auto differences = Compare(folder.File("a.h5"), folder.File("b.h5")).differences;
  REQUIRE(differences.size() == 1);
  CHECK(differences[0].table == "summary");
  CHECK(differences[0].column == "/summary/error_rate");
  CHECK(differences[0].b == "0.1117");
}

// Writes a folder with one trial, in a segment.
std::string WritePacked(const testing::TemporaryFolder& folder, const std::string& name, const Trace& trace) {
  std::filesystem::create_directories(folder.path() / name);
  const nlohmann::json trial = {
      {"id", trace.trial_id}, {"name", "p/e/l/r0"}, {"file", "a.h5"},  {"fold", nullptr},
      {"learner_key", "l"},   {"grid_point", ""},   {"repetition", 0}, {"axes", nlohmann::json::object()}};
  folder.Write(name + "/plan.json",
               nlohmann::json{{"experiment", "p/e"}, {"trials", nlohmann::json::array({trial})}}.dump());
  WriteSegment(
      folder.path() / name,
      {{.file = "a.h5", .trace = TraceBytes(trace), .row = RowOf(trace, std::nullopt).Json().dump()}});
  return folder.File(name);
}

TEST_CASE("traces in segments are compared, whatever their times") {
  const testing::TemporaryFolder folder;
  Trace trace = testing::CompleteTrace();
  const std::string a = WritePacked(folder, "a", trace);
  trace.provenance["wall_seconds"] = 9.5;
  trace.summary["kernel_evaluations"]["computed"] = 2U;
  const Comparison same = Compare(a, WritePacked(folder, "b", trace));
  CHECK(same.compared == 1);
  CHECK(same.differences.empty());
  Loss(trace)[2] = 0.5;
  const auto loss = Compare(a, WritePacked(folder, "c", trace)).differences;
  REQUIRE(loss.size() == 1);
  CHECK(loss[0].column == "loss");
  trace = testing::CompleteTrace();
  trace.summary["margin_errors"] = 2;
  const auto summary = Compare(a, WritePacked(folder, "d", trace)).differences;
  REQUIRE(summary.size() == 1);
  CHECK(summary[0].column == "/summary/margin_errors");
  // A trace file hides the trace in the segment.
  WriteTrace(folder.File("b/a.h5"), trace);
  CHECK(Compare(a, folder.File("b")).differences.size() == 1);
  CHECK(Compare(folder.File("b"), folder.File("d")).differences.empty());
}

}  // namespace
}  // namespace okbench
