// A field changes the identity of data exactly if its field list says so.

#include "tests/fields.h"

#include <set>

#include "datasets/rows/load.h"
#include "tests/catch.h"
#include "tests/datasets/known.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using testing::ForEachChange;
using testing::kNoFolder;

TEST_CASE("every field of a request is in its key") {
  DataRequest request{.name = "usps"};
  const auto check = [&](auto& object) {
    const std::string before = Key(request);
    ForEachChange(object, [&]<class Identity>(Identity how) {
      INFO(how.name);
      CHECK((Key(request) == before) == std::same_as<Identity, identity::Excluded>);
    });
    CHECK(Key(request) == before);
  };
  check(request);
  request.scale = Range{.low = -1, .high = 1};
  request.fold = Fold{.folds = 5, .fold = 1, .held_out = true};
  check(request);
  check(*request.scale);
  check(*request.fold);
  request.first = 7;
  CHECK(Key(WithoutSubset(request)) == Key({.name = "usps", .scale = request.scale}));
}

TEST_CASE("catalog fields of rows and labels are in the digest, others are not") {
  Catalog catalog;
  catalog.Read(OKBENCH_SOURCE_FOLDER "/datasets/catalog.toml");
  for (const char* name : {"usps", "margin"}) {
    DataSet set = catalog.Find(name);
    const DataRequest request{.name = name};
    const std::string before = PlanData(set, request, kNoFolder).digest;
    const auto check = [&](auto& object, bool tells_set) {
      ForEachChange(object, [&]<class Identity>(Identity how) {
        INFO(name << ": " << how.name);
        const bool tells =
            std::same_as<Identity, identity::Always> || std::same_as<Identity, identity::InDigest> ||
            (std::same_as<Identity, identity::WhenSet> && (tells_set || std::string(how.name) == "images"));
        CHECK((PlanData(set, request, kNoFolder).digest != before) == tells);
      });
    };
    check(set, set.generator.name == "margin");  // the optional fields belong to this generator
    check(set.parts.at("train"), true);
    CHECK(PlanData(set, request, kNoFolder).digest == before);
  }
}

TEST_CASE("request fields marked InDigest change the digest") {
  const testing::TemporaryFolder folder;
  folder.Write("cache/toy.txt", "1 1:1\n-1 1:2\n");
  DataSet set;
  set.name = "toy";
  set.format = "libsvm";
  set.generator.name = "clusters";
  set.parts["train"] = {.rows = 2, .skip = 0, .files = {{.name = "toy.txt", .urls = {}, .sha256 = ""}}};
  const DataFolders folders{folder.File("cache"), ""};
  std::set<std::string> left, identified;
  for (const bool forced : {false, true}) {
    DataRequest request{.name = "toy"};
    request.force_synthetic = forced;
    const std::string before = PlanData(set, request, folders).digest;
    ForEachChange(request, [&]<class Identity>(Identity how) {
      if constexpr (std::same_as<Identity, identity::InDigest>) {
        left.insert(how.name);
        if (PlanData(set, request, folders).digest != before) identified.insert(how.name);
      }
    });
  }
  CHECK(left == identified);
  // If the sha256 is unknown, other content of the file gives another digest.
  const std::string before = PlanData(set, {.name = "toy"}, folders).digest;
  folder.Write("cache/toy.txt", "1 1:2\n");
  CHECK(PlanData(set, {.name = "toy"}, folders).digest != before);
}

}  // namespace
}  // namespace okbench
