#include "harness/results/merge.h"

#include "base/error.h"
#include "harness/system/json_file.h"
#include "harness/trace/trace_file.h"
#include "tests/catch.h"
#include "tests/harness/sample_trace.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using Catch::Contains;
using testing::SampleTrace;

// The id of the trial with this name.
std::string IdOf(const std::string& name) { return SampleTrace(name).trial_id; }

// Result folders of an experiment with three trials.
class Folders {
 public:
  std::string Add(const std::string& name, const std::vector<std::string>& names = {"a", "b", "c"}) const {
    nlohmann::json trials = nlohmann::json::array();
    for (const std::string& trial : names)
      trials.push_back({{"id", IdOf(trial)},
                        {"name", "x/" + trial},
                        {"file", trial + ".h5"},
                        {"fold", nullptr},
                        {"learner_key", trial},
                        {"grid_point", ""},
                        {"repetition", 0},
                        {"axes", nlohmann::json::object()}});
    std::filesystem::create_directories(folder_.path() / name / "x");
    WriteJson(folder_.path() / name / "x" / "plan.json", {{"experiment", "x"}, {"trials", trials}});
    return folder_.File(name);
  }
  void Put(const std::string& name, const std::string& trial, double loss) const {
    Trace trace = SampleTrace(trial);
    testing::Loss(trace)[0] = loss;
    WriteTrace(File(name, trial + ".h5"), trace);
  }
  std::string File(const std::string& name, const std::string& file) const {
    return folder_.File(name + "/x/" + file);
  }
  std::string Path(const std::string& name) const { return folder_.File(name); }

 private:
  testing::TemporaryFolder folder_;
};

TEST_CASE("merging joins folders and reports missing results") {
  const Folders folders;
  const std::vector<std::string> both = {folders.Add("one"), folders.Add("two")};
  folders.Put("one", "a", 0.5);
  folders.Put("two", "a", 0.5);
  folders.Put("two", "b", 0.25);
  WriteJson(folders.File("one", "c.failed.json"), {{"kind", "timeout"}});
  std::vector<std::string> lines;
  const LogFn log = [&](const std::string& line) { lines.push_back(line); };
  const MergeReport report = Merge(both, folders.Path("joined"), log);
  CHECK(report.planned == 3);
  CHECK(report.valid == 2);
  CHECK(report.copied == 2);
  CHECK(report.missing == 1);
  CHECK_FALSE(report.complete());
  CHECK(lines == std::vector<std::string>{"x/c (" + IdOf("c") + "): failed: timeout"});
  CHECK(ReadTrace(folders.File("joined", "b.h5")).trial_id == IdOf("b"));
  CHECK(ReadJson(folders.File("joined", "c.failed.json"))["kind"] == "timeout");
  // A second merge copies nothing, and the plan was copied before.
  CHECK(Merge({folders.Path("joined")}, folders.Path("joined"), log).copied == 0);
}

TEST_CASE("merging rejects contradictory and unrelated results") {
  const Folders folders;
  const std::vector<std::string> both = {folders.Add("one"), folders.Add("two")};
  folders.Put("one", "a", 0.5);
  folders.Put("two", "a", 0.25);
  folders.Put("one", "b", 0.5);
  // A trace under another trial's name does not count.
  std::filesystem::rename(folders.File("one", "b.h5"), folders.File("one", "c.h5"));
  std::vector<std::string> lines;
  const MergeReport report = Merge(both, "", [&](const std::string& line) { lines.push_back(line); });
  CHECK(report.contradicting == 1);
  CHECK(report.missing == 2);
  REQUIRE(lines.size() == 4);
  CHECK_THAT(lines[0], Contains("digests differ for trial x/a"));
  CHECK_THAT(lines[2], Contains("belongs to trial " + IdOf("b") + ", not " + IdOf("c")));
  folders.Add("two", {"a", "b"});
  CHECK_THROWS_WITH(Merge(both, "", NoLog), Contains("the plans differ"));
  CHECK_THROWS_AS(Merge({folders.Path("none")}, "", NoLog), SpecError);
}

TEST_CASE("merging names a malformed plan file, whatever is wrong with it") {
  const Folders folders;
  const std::string folder = folders.Add("one");
  const auto merge = [&](const std::string& plan) {
    std::ofstream(folders.File("one", "plan.json")) << plan;
    Merge({folder}, folders.Path("joined"), [](const std::string&) {});
  };
  for (const char* plan :
       {"", "[", "[]", "3", "{}", R"({"experiment": 3, "trials": []})",
        R"({"experiment": "x", "trials": {"a": 1}})", R"({"experiment": "x", "trials": [3]})",
        R"({"experiment": "x", "trials": [{"file": "a.h5", "id": 3, "name": "n"}]})",
        R"({"experiment": "x", "trials": [{"file": "a.h5", "id": "a"}]})",
        R"({"experiment": "x", "trials": [{"file": ["a"], "id": "a", "name": "n"}]})"})
    CHECK_THROWS_WITH(merge(plan), Contains("plan.json") && Contains("not a valid plan"));
  // Deep nesting would overflow the stack of a JSON writer.
  const std::string deep(200000, '[');
  CHECK_THROWS_WITH(
      merge(R"({"experiment": "x", "trials": [], "more": )" + deep + std::string(200000, ']') + "}"),
      Contains("not a valid plan"));
  CHECK(!std::filesystem::exists(folders.Path("joined")));
}

}  // namespace
}  // namespace okbench
