// Keys of specs: exactly the listed keys are read.

#include "harness/spec/spec_keys.h"

#include <set>
#include <stdexcept>

#include "base/error.h"
#include "harness/spec/spec.h"
#include "harness/spec/toml_reader.h"
#include "tests/catch.h"
#include "tests/datasets/known.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using Catch::Contains;

// Names of keys as messages list them.
std::string Listed(const KeyTable& table, std::string before = "") {
  for (const SpecKey& key : table.keys)
    if (!key.IsPlaceholder()) before += (before.empty() ? "" : ", ") + key.name;
  return before;
}

std::string Refusal(const std::string& text, const std::vector<std::string>& overrides) {
  const testing::TemporaryFolder folder;
  try {
    ReadSpec(folder.Write("s.toml", text), "default", overrides, testing::Known());
  } catch (const SpecError& error) {
    return error.what();
  }
  return "none";
}

const char* const kPlain = R"(format = 2
experiment = "test/keys"
[data]
name = "usps"
[kernel]
name = "rbf"
sigma = { grid = [8] }
[learners.a]
learner = "svmd"
loss = "multiclass-hinge"
c = { divide_by_n = 0.5 }
[learners.a.grid]
trace_decay = { values = [0.5] }
)";

TEST_CASE("every spec key has a description and a valid default") {
  std::set<std::string> all;
  for (const KeyTable& table : SpecTables())
    for (const SpecKey& key : table.keys) {
      INFO(table.path + "." + key.name);
      CHECK(all.insert(table.path + "." + key.name + " " + table.of).second);
      CHECK_FALSE(key.description.empty());
      CHECK(key.MustBe().starts_with("be "));
      CHECK_FALSE((key.required && key.default_value));
      if (key.kind == KeyKind::kChoice && key.default_value)
        CHECK(std::get<std::string>(*key.default_value) == key.choices.front());
      if (key.kind == KeyKind::kInteger && key.default_value) {
        CHECK(static_cast<double>(std::get<std::int64_t>(*key.default_value)) >= key.minimum);
        CHECK(static_cast<double>(std::get<std::int64_t>(*key.default_value)) <= key.maximum);
      }
    }
}

TEST_CASE("error messages list the allowed keys of every table") {
  const auto lists = [](const std::string& path, const std::string& keys,
                        const std::vector<std::string>& more = {}) {
    std::vector<std::string> overrides = more;
    overrides.push_back((path.empty() ? "" : path + ".") + "Zzzzzzzzzz=1");
    const std::string refusal = Refusal(kPlain, overrides);
    INFO(path + ": " + refusal);
    CHECK(refusal.ends_with("; allowed are " + keys));
  };
  lists("", Listed(KeysOf("")));
  lists("data", Listed(KeysOf("data")));
  lists("trace", Listed(KeysOf("trace")));
  lists("cross_validation", Listed(KeysOf("cross_validation")));
  lists("kernel", Listed(KeysOf("kernel", "rbf"), "name, bias"));
  lists("kernel", Listed(KeysOf("kernel", "polynomial"), "name, bias"), {"kernel={name='polynomial'}"});
  lists("kernel", "name, bias", {"kernel={name='linear'}"});
  lists("kernel", Listed(KeysOf("kernel", "sum"), "name, bias"),
        {"kernel={name='sum',terms=[{name='linear',features=[0,1]}]}"});
  lists("kernel.sigma", Listed(KeysOf("kernel.PARAMETER")));
  lists("learners.a.c", Listed(KeysOf("learners.KEY.PARAMETER")));
  lists("learners.a.grid.trace_decay", Listed(KeysOf("learners.KEY.grid.PARAMETER")));
  CHECK_THAT(Refusal(kPlain, {"kernel={name='sum',terms=[{features=[0,1],sigma=1,x=1}]}"}),
             Catch::EndsWith("allowed are " +
                             Listed(KeysOf("kernel.terms", "rbf"), Listed(KeysOf("kernel.terms", "sum")))));
  // A learner's own keys come first, then its parameters.
  CHECK_THAT(Refusal(kPlain, {"learners.a.Zzzzzzzzzz=1"}),
             Contains("allowed are " + Listed(KeysOf("learners.KEY")) + ", loss"));
}

TEST_CASE("a reader accepts listed keys only, and must read every one") {
  const testing::TemporaryFolder folder;
  const TomlSource source(folder.Write("s.toml", "folds = 3\n"));
  TomlReader reader(source, source.root(), "", KeysOf("cross_validation"));
  CHECK_THROWS_AS(reader.Integer("fold"), std::logic_error);
  CHECK_THROWS_AS(reader.Text("folds"), std::logic_error);
  CHECK_THROWS_AS(KeysOf("cross-validation"), std::logic_error);
  CHECK(reader.Integer("folds") == 3);
  CHECK(reader.Integer("epochs") == 0);
  CHECK_THROWS_WITH(reader.Finish(), Contains("'tolerance' is listed, but not read"));
  CHECK_FALSE(reader.Has("tolerance"));
  CHECK(reader.Real("stream_share") == 0.1);
  CHECK(reader.Choice("search") == "grid");
  CHECK_NOTHROW(reader.Finish());
}

TEST_CASE("a tier may change a key exactly if the key table allows it") {
  for (const KeyTable& table : SpecTables())
    for (const SpecKey& key : table.keys) {
      const std::string path = (table.path.empty() ? "" : table.path + ".") + key.name;
      const std::string refusal = Refusal(std::string(kPlain) + "[tiers.paper]\n\"" + path + "\" = 1\n", {});
      INFO(path + ": " + refusal);
      // Grids are matched by their path.
      if (table.path != "kernel.PARAMETER" && !path.starts_with("learners."))
        CHECK((refusal.find("may not change with the tier") == std::string::npos) == key.tier);
    }
}

}  // namespace
}  // namespace okbench
