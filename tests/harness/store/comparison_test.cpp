#include "harness/store/comparison.h"

#include <catch2/catch.hpp>

#include "harness/store/trace_file.h"
#include "learners/core/error.h"
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

}  // namespace
}  // namespace okbench
