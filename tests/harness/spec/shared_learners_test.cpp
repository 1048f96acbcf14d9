// Shared learner files of specs: named lists, values by label kind, and tuning on the beginning of a stream.

#include <string>

#include "base/error.h"
#include "harness/plan/canonical.h"
#include "harness/plan/plan.h"
#include "harness/plan/stream_search.h"
#include "harness/spec/spec.h"
#include "tests/catch.h"
#include "tests/datasets/known.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

const std::string kSharing = R"(format = 2
experiment = "test/shared"
learners = "shared/few.toml"
[data]
name = "usps"
synthetic = true
synthetic_rows = 100
[kernel]
name = "rbf"
sigma = 8
)";

const std::string kFew = R"(format = 2
[lists]
budget = [16, 32]
step = [0.5, 1, 2]
[learners]
perceptron = { learner = "perceptron", cache = "fixed", grid = { budget = "budget" } }
[learners.norma]
learner = "norma"
loss = { binary = "hinge", multiclass = "multiclass-hinge" }
grid = { buffer = "budget" }
tune = { eta0 = "step" }
[tiers.quick]
"lists.budget" = [8]
)";

Spec ReadSharing(const std::string& spec, const std::string& shared, const std::string& tier = "default",
                 const std::vector<std::string>& overrides = {}) {
  const testing::TemporaryFolder folder;
  std::filesystem::create_directory(folder.File("shared"));
  folder.Write("shared/few.toml", shared);
  static const Catalog catalog = testing::Known();
  return ReadSpec(folder.Write("s.toml", spec), tier, overrides, catalog);
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  REQUIRE(text.find(from) != std::string::npos);
  return text.replace(text.find(from), from.size(), to);
}

std::size_t GridValues(const Spec& spec, const std::string& key) {
  for (const LearnerEntry& entry : spec.learners)
    if (entry.key == key) return entry.grid.at(0).values.size();
  return 0;
}

TEST_CASE("shared learners take values by list, tier and label kind") {
  const Spec several = ReadSharing(kSharing, kFew);
  REQUIRE(several.learners.size() == 1);  // the perceptron is binary
  CHECK(several.learners[0].key == "norma");
  CHECK(std::get<std::string>(several.learners[0].given.at("loss").value) == "multiclass-hinge");
  CHECK(several.learners[0].tune.at(0).values.size() == 3);
  const std::string positive =
      Replaced(kSharing, "synthetic_rows = 100", "synthetic_rows = 100\npositive = [1]");
  const Spec binary = ReadSharing(positive, kFew);
  REQUIRE(binary.learners.size() == 2);
  CHECK(GridValues(binary, "perceptron") == 2);
  CHECK(GridValues(ReadSharing(positive, kFew, "quick"), "perceptron") == 1);
  // Precedence: a spec's own lists override shared ones in all tiers, then its own tiers apply, and --set
  // last.
  const std::string own = positive + "[lists]\nbudget = [2, 3, 4]\n";
  CHECK(GridValues(ReadSharing(own, kFew, "quick"), "norma") == 3);
  CHECK(GridValues(ReadSharing(own + "[tiers.quick]\n\"lists.budget\" = [4, 5, 6, 7]\n", kFew, "quick"),
                   "norma") == 4);
  CHECK(GridValues(ReadSharing(own, kFew, "quick", {"lists.budget=[4, 5]"}), "norma") == 2);
}

TEST_CASE("errors in shared learners are reported in one line") {
  const auto refuse = [](const std::string& from, const std::string& to, const char* text) {
    INFO(to);
    CHECK_THROWS_WITH(ReadSharing(kSharing, Replaced(kFew, from, to)), Catch::Contains(text));
  };
  CHECK_THROWS_WITH(ReadSharing(Replaced(kSharing, "few.toml", "none.toml"), kFew),
                    Catch::Contains("names the file 'shared/none.toml'"));
  refuse("format = 2", "format = 3", "few.toml:1: format: must be 2");
  refuse("format = 2", "format = 1", "few.toml:1: format: format 1 is outdated");
  refuse("tune = { eta0 = \"step\" }", "tune = { eta0 = \"stap\" }",
         "names the list 'stap'; [lists] has budget, step");
  refuse("[lists]", "[list]", "unknown table list; did you mean lists?");
  refuse("\"lists.budget\" = [8]", "\"learners.norma.c\" = 1", "may not change with the tier");
  refuse("tiers.quick", "tiers.quack", "tiers.quack: is not known");
  refuse("learner = \"norma\"", "learner = \"narma\"", "did you mean norma");
  // Outside a shared file, a learner without a value for the labels is an error instead of being skipped.
  std::string whole = kSharing;
  whole = Replaced(whole, "learners = \"shared/few.toml\"\n", "");
  const std::string learner = "[learners.a]\nlearner = \"norma\"\n";
  CHECK_THROWS_WITH(ReadSharing(whole + learner + "loss = { binary = \"hinge\" }\n", kFew),
                    Catch::Contains("has no value for multiclass labels"));
  CHECK_THROWS_WITH(ReadSharing(whole + learner + "[learners.a.grid]\nbuffer = \"few\"\n", kFew),
                    Catch::Contains("there is no table [lists]"));
}

TEST_CASE("streams are tuned on the beginning of each repetition") {
  const std::string positive = Replaced(kSharing, "synthetic_rows = 100",
                                        "synthetic_rows = 100\npositive = [1]\norder = \"permutation\"");
  const Spec spec =
      ReadSharing(Replaced(positive, "format = 2", "format = 2\nrepetitions = 2"), kFew, "quick");
  const std::vector<Trial> plan = MakePlan(spec, testing::Known(), {"/nonexistent", ""});
  // Each trial searches itself.
  REQUIRE(plan.size() == 2 + 2);
  for (const Trial& trial : plan) {
    CHECK(trial.Needs().empty());
    CHECK(trial.candidates->size() == (trial.learner_key == "perceptron" ? 0 : 3));
    if (trial.candidates->empty()) continue;
    CHECK(trial.examples == 100);
    CHECK(TrialIdentity(trial)["tuned"]["examples"] == 10);
    for (const Candidate& candidate : *trial.candidates) {
      const Trial run = PrefixTrial(trial, candidate);
      CHECK(run.examples == 10);
      CHECK(run.data->test_part.empty());
      CHECK(run.StreamSeed() == trial.StreamSeed());
      CHECK(run.parameters->all() == candidate.parameters->all());
    }
  }
}

TEST_CASE("gamma_factor multiplies the gamma of the data set") {
  const std::string few =
      Replaced(kFew, "tune = { eta0 = \"step\" }", "tune = { gamma_factor = [4, 0, 0.5], eta0 = \"step\" }");
  const std::vector<Trial> plan =
      MakePlan(ReadSharing(kSharing, few, "quick"), testing::Known(), {"/nonexistent", ""});
  const auto tuned =
      std::ranges::find_if(plan, [](const Trial& trial) { return !trial.candidates->empty(); });
  REQUIRE(tuned != plan.end());
  const std::vector<Candidate>& candidates = *tuned->candidates;
  REQUIRE(candidates.size() == 9);
  const double gamma = candidates[0].kernel.gamma / 4;
  CHECK(candidates[1].kernel.kind == KernelKind::kPolynomial);
  CHECK(candidates[2].kernel.gamma == gamma / 2);
  const std::vector<TunedAxis> axes = TunedAxes(candidates);
  REQUIRE(axes.size() == 2);
  CHECK(axes[0].name == "kernel.gamma");
  CHECK(axes[0].values == std::vector<nlohmann::json>{4 * gamma, 0.0, gamma / 2});
  CHECK(TrialIdentity(*tuned)["kernel"] == nlohmann::json{{"name", "rbf"}});
  const auto refuse = [&](const std::string& values, const std::string& text) {
    CHECK_THROWS_WITH(ReadSharing(kSharing, Replaced(few, "[4, 0, 0.5]", values)), Catch::Contains(text));
  };
  refuse("[-1]", "gamma_factor: must be >= 0");
  refuse("{ values = [1, 2], divide_by_n = true }", "gamma_factor: cannot be divide_by_n");
  refuse("[\"wide\"]", "gamma_factor: must list numbers");
}

TEST_CASE("gamma_factor of a linear method must be 0") {
  const std::string line = R"(line = { learner = "linear-passive-aggressive", gamma_factor = 0 })";
  const std::string few = Replaced(kFew, "[learners]\n", "[learners]\n" + line + "\n");
  const auto plan = [&](const std::string& shared) {
    return MakePlan(ReadSharing(kSharing, shared), testing::Known(), {"/nonexistent", ""});
  };
  const std::vector<Trial> trials = plan(few);
  const auto linear =
      std::ranges::find_if(trials, [](const Trial& trial) { return trial.learner_key == "line"; });
  REQUIRE(linear != trials.end());
  CHECK(linear->kernel.kind == KernelKind::kPolynomial);
  const char* const cause =
      "gamma_factor: must be 0: linear-passive-aggressive supports the linear kernel only";
  CHECK_THROWS_WITH(plan(Replaced(few, "gamma_factor = 0", "gamma_factor = 2")), Catch::Contains(cause));
  CHECK_THROWS_WITH(plan(Replaced(few, "gamma_factor = 0", "tune = { gamma_factor = [0, 2] }")),
                    Catch::Contains(cause));
}

TEST_CASE("a shared file sets the search of its specs") {
  const std::string few = Replaced(kFew, "[lists]", "search = \"coordinates\"\n[lists]");
  CHECK(ReadSharing(kSharing, few).validation.search == Search::kCoordinates);
  const std::string own = std::string(kSharing) + "\n[cross_validation]\nsearch = \"grid\"\n";
  CHECK(ReadSharing(own, few).validation.search == Search::kGrid);
}

}  // namespace
}  // namespace okbench
