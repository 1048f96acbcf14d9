// Specs, tiers, overrides, plans and trial ids.

#include "harness/spec/spec.h"

#include <set>

#include "base/error.h"
#include "harness/plan/plan.h"
#include "harness/system/paths.h"
#include "tests/catch.h"
#include "tests/datasets/known.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using testing::Known;

double Real(const ParameterValues& values, const char* name) {
  return std::get<double>(values.all().at(name));
}

using Catch::Contains;

const char* const kSpec = R"(format = 2
experiment = "test/toy"
repetitions = 2
[data]
name = "usps"
synthetic = true
synthetic_rows = 100
order = "permutation"
[kernel]
name = "rbf"
sigma = 8
[learners.a]
learner = "svmd"
loss = "multiclass-hinge"
c = { divide_by_n = 0.5 }
[learners.a.grid]
trace_decay = [0, 0.5]
buffer = [16, 32]
[learners.b]
learner = "norma"
loss = "multiclass-hinge"
[tiers.quick]
repetitions = 1
"learners.a.grid.buffer" = [8]
)";

Spec Read(std::string text, const std::string& tier = "default",
          const std::vector<std::string>& overrides = {},
          const std::pair<std::string, std::string>& change = {"", ""}) {
  const testing::TemporaryFolder folder;
  if (!change.first.empty()) text.replace(text.find(change.first), change.first.size(), change.second);
  static const Catalog catalog = Known();
  return ReadSpec(folder.Write("s.toml", text), tier, overrides, catalog);
}

std::vector<Trial> Plan(const Spec& spec) { return MakePlan(spec, Known(), {"/nonexistent", ""}); }

TEST_CASE("learner keys are limited in length, because they name files") {
  const auto named = [](std::size_t length) {
    return std::pair<std::string, std::string>("[learners.b]", "[learners." + std::string(length, 'b') + "]");
  };
  CHECK_NOTHROW(Read(kSpec, "default", {}, named(100)));
  CHECK_THROWS_WITH(Read(kSpec, "default", {}, named(101)), Contains("is longer than 100 characters"));
}

TEST_CASE("a spec expands to learners x grid x repetitions") {
  const auto plan = Plan(Read(kSpec));
  REQUIRE(plan.size() == (4 + 1) * 2);
  CHECK(plan[0].Name() == "test/toy/a[trace_decay=0,buffer=16]/r0");
  CHECK(plan.back().Name() == "test/toy/b/r1");
  CHECK(Real(plan[0].parameters, "c") == 0.5 / 100);
  CHECK(plan[0].synthetic);
  std::set<std::string> ids;
  for (const Trial& trial : plan) ids.insert(trial.id);
  CHECK(ids.size() == plan.size());
  // sum_{t<16} t + 84 * 16 + 100
  CHECK(plan[0].cost.requested == 120 + 84 * 16 + 100);
}

TEST_CASE("tiers may change repetitions, sizes and grids only") {
  const auto plan = Plan(Read(kSpec, "quick"));
  REQUIRE(plan.size() == 3);
  CHECK(plan[0].grid_point == "trace_decay=0,buffer=8");
  const std::string method = std::string(kSpec) + "\"learners.b.eta0\" = 2\n";
  CHECK_THROWS_WITH(Read(method), Contains("s.toml:25") && Contains("may not change with the tier"));
  CHECK_THROWS_WITH(Read(std::string(kSpec) + "\"learners.x.grid.buffer\" = [2]\n"),
                    Contains("s.toml:25") && Contains("does not have"));
  CHECK_THROWS_WITH(Read(std::string(kSpec) + "[tiers.fast]\nrepetitions = 1\n"),
                    Contains("quick, default, paper"));
}

TEST_CASE("trial ids and seeds depend on the trial only") {
  const auto all = Plan(Read(kSpec));
  // A trial keeps its id when other learners, repetitions or labels are added or removed.
  const auto alone = Plan(Read(kSpec, "quick", {"learners.b.label=another"}));
  CHECK(alone.back().id == all[8].id);
  CHECK(alone.back().StreamSeed() == all[8].StreamSeed());
  CHECK(all[0].StreamSeed() == all[8].StreamSeed());  // every learner sees the same order
  CHECK(all[0].StreamSeed() != all[1].StreamSeed());
  CHECK(Plan(Read(kSpec, "default", {"learners.b.eta0=0.5"})).back().id != all.back().id);
  CHECK(Plan(Read(kSpec, "default", {"data.synthetic_rows=90"})).back().id != all.back().id);
}

TEST_CASE("overrides take a path and a value") {
  CHECK(Read(kSpec, "default", {"learners.b.tau=7"}).learners[1].given.at("tau").value ==
        ParameterValue(std::int64_t{7}));
  CHECK(Read(kSpec, "default", {"data.order=permutation"}).data.stream.order == Order::kPermutation);
  CHECK_THROWS_WITH(Read(kSpec, "default", {"nonsense"}), Contains("path=value"));
  CHECK_THROWS_WITH(Read(kSpec, "default", {"data.max_exmples=3"}),
                    Contains("--set") && Contains("did you mean max_examples?"));
  CHECK_THROWS_WITH(Read(kSpec, "default", {"format.x=3"}), Contains("is not a table"));
}

TEST_CASE("invalid specs are rejected with file, line, key and allowed values") {
  const auto refuse = [](const char* from, const char* to, const char* line, const char* text) {
    INFO(to);
    CHECK_THROWS_WITH(Read(kSpec, "default", {}, {from, to}),
                      Contains(std::string("s.toml:") + line) && Contains(text));
  };
  refuse("repetitions = 2", "repetitons = 2", "3", "did you mean repetitions?");
  refuse("repetitions = 2", "repetitions = 0", "3", ">= 1");
  refuse("repetitions = 2", "repetitions = \"two\"", "3", "integer");
  refuse("format = 2", "format = 3", "1", "must be 2");
  refuse("format = 2", "format = 1", "1", "outdated");
  refuse("repetitions = 2", "stand_in = true", "3", "stand_in: renamed to synthetic");
  refuse("name = \"usps\"", "name = \"uspz\"", "5", "did you mean usps");
  refuse("name = \"usps\"", "name = [\"usps\", \"usps\"]", "5", "twice");
  refuse("name = \"usps\"", "name = \"usps\"\npositive = [10]", "6", "0 .. 9");
  refuse("synthetic_rows = 100", "synthetic_rows = -1", "7", ">= 0");
  refuse("synthetic_rows = 100", "rows = 100", "7", "data.rows: renamed to synthetic_rows");
  refuse("synthetic_rows = 100", "limit = 100", "7", "data.limit: renamed to max_examples");
  refuse("sigma = 8", "sigma = 0", "11", "> 0");
  refuse("sigma = 8", "sigma = 8\ngamma = 1", "11", "exclude each other");
  refuse("name = \"rbf\"", "name = \"gauss\"", "10", "rbf, polynomial");
  refuse("name = \"rbf\"", "name = { grid = [\"rbf\", \"linear\"] }", "10", "expected one of rbf");
  refuse("sigma = 8", "sigma = 8\nrepetitions = { grid = [1, 2] }", "12", "unknown key");
  refuse("learner = \"svmd\"", "learner = \"svdm\"", "13", "did you mean svmd");
  refuse("loss = \"multiclass-hinge\"", "loss = \"hinges\"", "14", "one of");
  refuse("c = { divide_by_n = 0.5 }", "c = { over_m = 0.5 }", "15", "divide_by_n");
  refuse("c = { divide_by_n = 0.5 }", "c = -1", "15", ">= 0");
  refuse("trace_decay = [0, 0.5]", "trace_decay = [0, 2]", "17", "<= 1");
  refuse("trace_decay = [0, 0.5]", "lambda = [0, 0.5]", "17", "renamed to trace_decay");
  refuse("trace_decay = [0, 0.5]", "trace_decay = []", "17", "non-empty list");
  refuse("trace_decay = [0, 0.5]", "trace_decay = [0, 0]", "17", "twice");
  refuse("buffer = [16, 32]", "buffer = [-3]", "18", ">= 1");
  refuse("buffer = [16, 32]", "bufer = [3]", "18", "did you mean buffer?");
  refuse("[kernel]", "[kernel", "9", "");
  CHECK_THROWS_WITH(ReadSpec("/nonexistent.toml", "default", {}, Known()), Contains("no such file"));
}

const char* const kRounds = R"(format = 2
experiment = "test/rounds"
repetitions = 2
[data]
name = ["ijcnn1", "a8a"]
order = "uniform"
batch = 0.1
epochs = 2
synthetic_rows = 100
test = "test"
[kernel]
name = "rbf"
gamma = { ijcnn1 = 1, a8a = 0.05 }
[cross_validation]
folds = 4
[learners.p]
learner = "pegasos"
[learners.p.tune]
lambda = { powers_of_two = [-0.5, 1], divide_by_n = true }
[learners.s]
learner = "sfd"
)";

TEST_CASE("cross validation: folds are trials, and tuned trials depend on them") {
  const auto plan = Plan(Read(kRounds));
  // For each data set: 2 values x 4 folds, 2 tuned repetitions, 2 of the learner without tuning.
  REQUIRE(plan.size() == 2 * (8 + 2 + 2));
  CHECK(plan[0].Name() == "test/rounds/p[data=ijcnn1,lambda=0.00707107]/f0");
  CHECK(plan[0].fold());
  CHECK(plan[0].training == 75);
  CHECK(plan[0].batch == 8);  // of 75, rounded
  CHECK(plan[0].kernel.gamma == 1);
  CHECK(plan[12].kernel.gamma == 0.05);
  const Trial& tuned = plan[8];
  CHECK(tuned.Name() == "test/rounds/p[data=ijcnn1]/r0");
  CHECK(tuned.examples == 200);
  REQUIRE(tuned.candidates->size() == 2);
  CHECK(Real((*tuned.candidates)[0].parameters, "lambda") == Approx(std::sqrt(0.5) / 100).epsilon(1e-15));
  CHECK(Real((*tuned.candidates)[1].parameters, "lambda") ==
        2.0 / 100);  // n of the whole set, also within folds
  for (std::size_t c = 0; c < 2; ++c)
    for (std::size_t f = 0; f < 4; ++f) {
      CHECK((*tuned.candidates)[c].ids[f] == plan[4 * c + f].id);
      CHECK((*tuned.candidates)[c].files[f] == plan[4 * c + f].FileName());
    }
  CHECK((*plan[9].candidates)[0].ids == (*tuned.candidates)[0].ids);  // repetitions share the search
  std::set<std::string> ids;
  for (const Trial& trial : plan) ids.insert(trial.id);
  CHECK(ids.size() == plan.size());
}

TEST_CASE("a tuning grid with one value needs no cross validation") {
  const auto plan = Plan(Read(kRounds, "default", {}, {"powers_of_two = [-0.5, 1]", "powers_of_two = [1]"}));
  REQUIRE(plan.size() == 2 * (2 + 2));
  CHECK(plan[0].candidates->empty());
  CHECK(Real(plan[0].parameters, "lambda") == 0.02);
}

TEST_CASE("invalid mini-batches and searches are rejected in one line") {
  const auto refuse = [](const char* from, const char* to, const char* text) {
    INFO(to);
    CHECK_THROWS_WITH(Plan(Read(kRounds, "default", {}, {from, to})), Contains("s.toml") && Contains(text));
  };
  refuse("batch = 0.1", "batch = 101",
         "cannot draw mini-batches of 101 (data.batch) from 100 training examples");
  refuse("batch = 0.1", "batch = 80", "cannot draw mini-batches of 80 (data.batch) from 75");
  refuse("batch = 0.1", "batch = 0", "integer >= 1");
  refuse("batch = 0.1", "batch = 1.5", "share of the training set > 0 and < 1");
  refuse("batch = 0.1\n", "", "needs data.batch");
  refuse("order = \"uniform\"", "order = \"counting\"", "counting sequence needs a stream learner");
  refuse("learner = \"sfd\"", "learner = \"multiclass-svm\"", "an order other than");
  refuse("powers_of_two = [-0.5, 1], divide_by_n = true", "values = [0, 1]", "lambda: 0 must be");
  refuse("powers_of_two = [-0.5, 1], divide_by_n = true", "values = [-1, 1]", "lambda: -1 must be");
  refuse("powers_of_two = [-0.5, 1], divide_by_n = true", "values = []", "at least one");
  refuse("powers_of_two = [-0.5, 1]", "powers_of_two = [1, 1]", "twice");
  refuse("powers_of_two = [-0.5, 1]", "powers_of_two = [1], values = [1]", "one of powers_of_two");
  refuse("learner = \"pegasos\"", "learner = \"norma\"", "not a parameter of norma");
  refuse("folds = 4", "folds = 1", ">= 2");
  refuse("folds = 4", "folds = 101", "101 folds of 100");
  refuse("gamma = { ijcnn1 = 1, a8a = 0.05 }", "gamma = { ijcnn1 = 1 }", "kernel.gamma.a8a: missing");
  refuse("gamma = { ijcnn1 = 1, a8a = 0.05 }", "gamma = { ijcnn1 = 1, a8a = 1, uspss = 1 }",
         "uspss: unknown key");
}

TEST_CASE("data.sample draws a training set, and data.max_examples is rejected for rows sorted by class") {
  const auto on = [](const std::string& lines, const std::string& learner) {
    return Plan(
        Read("format = 2\nexperiment = \"test/sample\"\n[data]\nname = \"imageclef07\"\nepochs = 2\n" +
             lines + "[kernel]\nname = \"linear\"\n[learners.a]\nlearner = \"" + learner + "\"\n"));
  };
  const std::string rounds = "order = \"permutation\"\nbatch = 10\n";
  const auto whole = on(rounds, "structural-sfd"), sampled = on(rounds + "sample = 300\n", "structural-sfd");
  CHECK(whole[0].training == 10000);
  CHECK(sampled[0].training == 300);
  CHECK(sampled[0].examples == 600);
  CHECK(whole[0].id != sampled[0].id);
  CHECK(on("order = \"permutation\"\nsample = 300\n", "mira")[0].examples == 600);
  CHECK(on("order = \"permutation\"\nsample = 20000\n", "mira")[0].examples == 20000);
  CHECK_THROWS_WITH(on("order = \"permutation\"\nmax_examples = 300\n", "mira"),
                    Contains("would see other rows in every epoch"));
  CHECK(on("order = \"permutation\"\nmax_examples = 10000\n", "mira")[0].examples == 20000);
  const std::string cause = "'imageclef07' are grouped by class";
  CHECK_THROWS_WITH(on(rounds + "max_examples = 300\n", "structural-sfd"), Contains(cause));
  CHECK_THROWS_WITH(on("order = \"file\"\nmax_examples = 300\n", "mira"), Contains(cause));
  CHECK_THROWS_WITH(on("sample = 0\n", "mira"), Contains("sample: 0 is out of range"));
}

TEST_CASE("a kernel may be a sum of terms") {
  const std::string gamma = "name = \"rbf\"\ngamma = { ijcnn1 = 1, a8a = 0.05 }";
  const std::string sum =
      "name = \"sum\"\nterms = [{ name = \"rbf\", gamma = 2, features = [0, 9] },\n"
      "  { name = \"linear\", features = [5, 21], weight = 0.5 }]";
  const auto with = [&](const std::string& kernel) { return Read(kRounds, "default", {}, {gamma, kernel}); };
  const auto plan = Plan(with(sum));
  REQUIRE(plan[0].kernel.kind == KernelKind::kSum);
  REQUIRE(plan[0].kernel.terms.size() == 2);
  CHECK(plan[0].kernel.terms[0].kernel.gamma == 2);
  CHECK(plan[0].kernel.terms[1].weight == 0.5);
  CHECK(plan[0].kernel.terms[1].first == 5);
  CHECK(plan[0].kernel.terms[1].count == 17);
  std::set<std::string> ids;
  const auto changed = [&](const std::string& old, const std::string& now) {
    std::string text = sum;
    const std::size_t at = text.find(old);
    REQUIRE(at != std::string::npos);
    return text.replace(at, old.size(), now);
  };
  for (const auto& [old, now] : std::vector<std::pair<std::string, std::string>>{{"0.5", "0.5"},
                                                                                 {"0.5", "1"},
                                                                                 {"[0, 9]", "[0, 8]"},
                                                                                 {"gamma = 2", "gamma = 3"},
                                                                                 {"[5, 21]", "[6, 21]"}})
    CHECK(ids.insert(Plan(with(changed(old, now)))[0].id).second);
  const auto refuse = [&](const std::string& old, const std::string& now, const std::string& cause) {
    CHECK_THROWS_WITH(Plan(with(changed(old, now))), Contains(cause));
  };
  refuse("[5, 21]", "[5]", "kernel.terms[1].features: must be the first and the last feature");
  refuse("[5, 21]", "[5, 4]", "first and the last");
  refuse("[5, 21]", "[5, 22]", "has features 5 to 22, but 'ijcnn1' has 22, counted from 0");
  refuse("\"linear\"", "\"sum\"", "kernel.terms[1].name: ");
  refuse("weight = 0.5", "weight = 0", "weight: 0 is out of range");
  refuse("gamma = 2, ", "", "needs sigma or gamma");
  refuse("weight", "wait", "kernel.terms[1].wait: unknown key");
  CHECK_THROWS_WITH(with("name = \"sum\""), Contains("kernel.terms: must be a list of tables, at least one"));
}

TEST_CASE("every spec of the project is valid in every tier") {
  const Catalog catalog = Known();
  REQUIRE(KnownSpecs().size() >= 6);
  std::size_t planned = 0;
  for (const std::string& path : KnownSpecs())
    for (const char* tier : kTiers) try {
        const auto plan = MakePlan(ReadSpec(path, tier, {}, catalog), catalog, {"/nonexistent", ""});
        CHECK(!plan.empty());
        ++planned;
      } catch (const SpecError& error) {
        INFO(error.what());
        CHECK((OutputTables().empty() && Contains("OKBENCH_BOXES").match(error.what())));
      }
  CHECK(planned >= 3 * 40);
}

}  // namespace
}  // namespace okbench
