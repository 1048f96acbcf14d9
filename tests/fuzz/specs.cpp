#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/whole_file.h"
#include "harness/plan/plan.h"
#include "harness/spec/spec.h"
#include "harness/spec/spec_keys.h"
#include "tests/datasets/known.h"
#include "tests/fuzz/harness.h"
#include "tests/helpers.h"

namespace okbench::fuzz {
namespace {

// Input: a spec. Comments "#set PATH=VALUE" are overrides.
void ReadAnySpec(std::string_view bytes) {
  static const testing::TemporaryFolder folder;
  static const Catalog catalog = testing::Known();
  const std::string text(bytes), path = folder.Write("s.toml", text);
  std::vector<std::string> overrides;
  for (std::string_view rest = bytes; !rest.empty();) {
    const auto [line, after] = FirstLine(rest);
    if (line.starts_with("#set ")) overrides.emplace_back(line.substr(5));
    rest = after;
  }
  Documented([&] { MakePlan(ReadSpec(path, "quick", overrides, catalog), catalog, testing::kNoFolder); });
}

std::vector<std::string> SmallSpecs() {
  constexpr std::size_t kMax = 3000;
  std::vector<std::string> specs;
  std::set<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(OKBENCH_SOURCE_FOLDER "/experiments"))
    if (entry.path().extension() == ".toml") paths.insert(entry.path());
  for (const std::filesystem::path& path : paths)
    if (std::string text = WholeFile<SpecError>(path.string()); text.size() <= kMax)
      specs.push_back(std::move(text));
  specs.push_back(specs.front() + "\n#set repetitions=2\n#set data.name=a9a\n");
  return specs;
}

std::vector<std::string> KeyNames() {
  std::set<std::string> names;
  for (const KeyTable& table : SpecTables())
    for (const SpecKey& key : table.keys) {
      names.insert(key.name);
      names.insert(key.choices.begin(), key.choices.end());
    }
  return {names.begin(), names.end()};
}

}  // namespace

Harness Specs() { return {"specs", ReadAnySpec, SmallSpecs, KeyNames()}; }

}  // namespace okbench::fuzz
