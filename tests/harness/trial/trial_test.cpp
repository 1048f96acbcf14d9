// Running a trial: the harness checks what a learner reports.

#include "harness/trial/trial.h"

#include <map>
#include <optional>
#include <string>
#include <type_traits>

#include "base/error.h"
#include "harness/plan/plan.h"
#include "harness/spec/spec.h"
#include "harness/trial/data_cache.h"
#include "learners/api/learner_info.h"
#include "learners/api/reports_overhead.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

// Every method that determines results must be implemented: the interfaces have no defaults.
static_assert(std::is_abstract_v<StreamLearner>);
static_assert(std::is_abstract_v<RoundLearner>);
static_assert(std::is_abstract_v<SolverLearner>);

struct Options {
  std::int64_t reported = 0;  ///< examples that it says a round processed; below 0: as many as it was shown
  std::int64_t task_loss_every = 0;  ///< rounds; 0: none
  std::int64_t tested_every = 0;     ///< the same of its tests
  std::int64_t overhead = 0;         ///< seconds a round that it says it spent on reaching another process
};

// Learns nothing, and reports what its options say.
template <class T>
class Teller : public RoundLearner, public ReportsOverhead {
 public:
  Teller(const Options& options, const LearnerContext<T>& /*context*/) : options_(options) {}
  RoundOutcome Round(std::span<const std::uint32_t> batch) override {
    RoundOutcome outcome{.examples = options_.reported < 0 ? batch.size()
                                                           : static_cast<std::uint64_t>(options_.reported)};
    outcome.task_loss = Every(options_.task_loss_every, round_++);
    return outcome;
  }
  std::vector<std::string> Columns() const override { return {}; }
  void Report(std::span<double> /*out*/) const override {}
  std::size_t support_vectors() const override { return 0; }
  const KernelCounts& counts() const override { return counts_; }
  TestOutcome Test() override { return {.examples = 1, .task_loss = Every(options_.tested_every, tests_++)}; }
  double overhead_seconds() const override { return static_cast<double>(options_.overhead * round_); }

 private:
  static std::optional<double> Every(std::int64_t every, std::int64_t time) {
    return every > 0 && time % every == 0 ? std::optional(0.25) : std::nullopt;
  }

  Options options_;
  std::int64_t round_ = 0, tests_ = 0;
  KernelCounts counts_;
};

ParameterTable<Options> Parameters() {
  ParameterTable<Options> table;
  table.Integer(&Options::reported, "reported", "", {-1, 1000}, "examples", "what it says")
      .Integer(&Options::task_loss_every, "task_loss_every", "", {0, 10}, "rounds", "when it tells")
      .Integer(&Options::tested_every, "tested_every", "", {0, 10}, "tests", "when it tells")
      .Integer(&Options::overhead, "overhead", "", {0, 1000000}, "s", "not for learning");
  return table;
}

template <Protocol kProtocol>
LearnerInfo Describe() {
  return DefineLearner<kProtocol>(
      {.name = "teller",
       .title = "",
       .paper = "",
       .labels = {LabelKind::kBinary, LabelKind::kMulticlass},
       .update = ""},
      Parameters(), [](const Options&, const Workload&) { return Cost(); }, Constructs<Teller>());
}

constexpr const char* kSpec = R"(format = 2
experiment = "test/teller"
[data]
name = "a8a"
synthetic_rows = 100
synthetic = true
order = "uniform"
batch = 10
test = "train"
[kernel]
name = "linear"
[trace]
checkpoints = 4
[learners.a]
learner = "sfd"
)";

Trace RunTeller(const LearnerInfo& info, std::int64_t reported,
                std::map<std::string, ParameterValue> parameters = {}) {
  const testing::TemporaryFolder folder;
  Catalog catalog;
  catalog.Read(OKBENCH_SOURCE_FOLDER "/datasets/catalog.toml");
  const DataFolders folders{.cache = "/nonexistent", .mirror = ""};
  Trial trial =
      MakePlan(ReadSpec(folder.Write("spec.toml", kSpec), "default", {}, catalog), catalog, folders)[0];
  trial.info = &info;
  trial.parameters =
      ParameterValues::Resolve(info.parameters, (parameters["reported"] = reported, parameters));
  DataCache data(catalog, folders);
  return RunTrial(trial, data, {}, 1);
}

TEST_CASE("the harness checks the number of examples that a mini-batch learner reports") {
  const LearnerInfo info = Describe<Protocol::kMiniBatches>();
  CHECK(RunTeller(info, -1).summary["examples"] == 100);
  for (const std::int64_t reported : {0, 9, 11})
    CHECK_THROWS_WITH(RunTeller(info, reported),
                      Catch::Contains("reports that round 1 processed") && Catch::Contains("received 10"));
}

TEST_CASE("a learner that selects its examples must select at least one, at most all") {
  const LearnerInfo info = Describe<Protocol::kSelection>();
  CHECK(RunTeller(info, 5).summary["examples"] == 100);
  CHECK_THROWS_WITH(RunTeller(info, 0), Catch::Contains("reports that round 1 processed 0"));
  // There are only 100 examples.
  CHECK_THROWS_WITH(RunTeller(info, 101), Catch::Contains("reports that round 1 processed 101"));
}

TEST_CASE("reported overhead does not count as learning time") {
  const LearnerInfo info = Describe<Protocol::kMiniBatches>();
  CHECK(RunTeller(info, -1).provenance["wall_seconds"] > 0.0);
  // Ten rounds.
  CHECK(RunTeller(info, -1, {{"overhead", 1000000}}).provenance["wall_seconds"] < -9e6);
}

// The tree given to the constructor.
const LabelTree* seen_tree = nullptr;
std::size_t seen_bytes = 0;

template <class T>
class Watcher final : public Teller<T> {
 public:
  Watcher(const Options& options, const LearnerContext<T>& context) : Teller<T>(options, context) {
    seen_tree = context.tree;
    seen_bytes = sizeof(T);
  }
};

TEST_CASE("a learner must report its task loss always or never") {
  const LearnerInfo info = Describe<Protocol::kMiniBatches>();
  const Trace always = RunTeller(info, -1, {{"task_loss_every", 1}, {"tested_every", 1}});
  CHECK(always.summary["task_loss"] == 0.25);
  CHECK(always.summary["test_task_loss"] == 0.25);
  CHECK(!RunTeller(info, -1).summary.contains("task_loss"));
  CHECK_THROWS_WITH(RunTeller(info, -1, {{"task_loss_every", 2}}), Catch::Contains("of some examples only"));
  CHECK_THROWS_WITH(RunTeller(info, -1, {{"task_loss_every", 1}, {"tested_every", 2}}),
                    Catch::Contains("changed between rows"));
}

TEST_CASE("a learner receives the tree that its spec requests, in both precisions") {
  const LearnerInfo info = DefineLearner<Protocol::kMiniBatches>(
      {.name = "watcher",
       .title = "",
       .paper = "",
       .labels = {LabelKind::kBinary, LabelKind::kMulticlass},
       .update = ""},
      Parameters(), [](const Options&, const Workload&) { return Cost(); }, Constructs<Watcher>());
  const testing::TemporaryFolder folder;
  Catalog catalog;
  catalog.Read(OKBENCH_SOURCE_FOLDER "/datasets/catalog.toml");
  const DataFolders folders{.cache = "/nonexistent", .mirror = ""};
  std::string text = kSpec;
  text.replace(text.find("a8a"), 3, "imageclef07");
  text.replace(text.find("\"sfd\""), 5, "\"structural-sfd\"");
  for (const std::string precision : {"float32", "float64"})
    for (const bool tree : {false, true}) {
      std::vector<std::string> overrides = {"precision=" + precision};
      if (tree) overrides.emplace_back("data.tree=full");
      Trial trial = MakePlan(ReadSpec(folder.Write("spec.toml", text), "default", overrides, catalog),
                             catalog, folders)[0];
      trial.info = &info;
      trial.parameters = ParameterValues::Resolve(info.parameters, {{"reported", std::int64_t{-1}}});
      DataCache data(catalog, folders);
      RunTrial(trial, data, {}, 1);
      CHECK(seen_bytes == (precision == "float64" ? sizeof(double) : sizeof(float)));
      CHECK(seen_tree == trial.tree.get());
      CHECK((seen_tree != nullptr) == tree);
    }
}

}  // namespace
}  // namespace okbench
