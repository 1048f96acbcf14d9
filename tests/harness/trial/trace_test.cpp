#include "harness/measures/trace.h"

#include <algorithm>
#include <catch2/catch.hpp>

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

}  // namespace
}  // namespace okbench
