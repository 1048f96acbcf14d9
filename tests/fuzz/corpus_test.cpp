// Runs every harness on its seeds, on inputs found by fuzzing, and on damaged copies of the seeds. Readers
// may throw only documented errors. `make sanitize` also detects reads out of bounds.

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/whole_file.h"
#include "learners/core/random.h"
#include "tests/catch.h"
#include "tests/fuzz/harness.h"

namespace okbench::fuzz {
namespace {

namespace fs = std::filesystem;

// Files of tests/fuzz/corpus/NAME, sorted.
std::vector<fs::path> Committed(const std::string& name) {
  std::vector<fs::path> files;
  const fs::path folder = fs::path(OKBENCH_SOURCE_FOLDER "/tests/fuzz/corpus") / name;
  if (fs::is_directory(folder))
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// Changes, removes or inserts a byte, or copies one part over another, up to three times.
std::string Damaged(std::string text, Random& random) {
  for (std::uint64_t changes = 1 + random.Below(3); changes > 0 && !text.empty(); --changes) {
    const std::size_t at = random.Below(text.size()), from = random.Below(text.size());
    switch (random.Below(4)) {
      case 0:
        text[at] = static_cast<char>(random.Below(256));
        break;
      case 1:
        text.erase(at, 1 + random.Below(8));
        break;
      case 2:
        text.insert(at, 1, static_cast<char>(random.Below(256)));
        break;
      default:
        text.replace(at, 8, text.substr(from, 8));
    }
  }
  return text;
}

void RequireDocumented(const Harness& harness, const std::string& input, const std::string& what) {
  INFO(harness.name << ": " << what);
  REQUIRE_NOTHROW(harness.run(input));
}

TEST_CASE("every folder of the fuzzing corpus belongs to a harness") {
  std::vector<std::string> names;
  for (const Harness& harness : Harnesses()) names.push_back(harness.name);
  CHECK(std::is_sorted(names.begin(), names.end()));
  for (const auto& entry : fs::directory_iterator(OKBENCH_SOURCE_FOLDER "/tests/fuzz/corpus")) {
    INFO(entry.path());
#ifndef OKBENCH_BOXES
    if (std::set<std::string>{"boxes", "images", "upstream"}.contains(entry.path().filename())) continue;
#endif
    CHECK(std::binary_search(names.begin(), names.end(), entry.path().filename().string()));
  }
}

TEST_CASE("inputs found by fuzzing are read or rejected with a documented error") {
  for (const Harness& harness : Harnesses())
    for (const fs::path& file : Committed(harness.name))
      RequireDocumented(harness, WholeFile<DataError>(file.string()), file.filename().string());
}

TEST_CASE("fuzzing seeds and damaged copies are read or rejected with a documented error") {
  constexpr std::size_t kCopies = 120;  // over all seeds of a harness
  for (const Harness& harness : Harnesses()) {
    const std::vector<std::string> seeds = harness.seeds();
    REQUIRE(!seeds.empty());
    Random random(11);
    for (std::size_t s = 0; s < seeds.size(); ++s)
      RequireDocumented(harness, seeds[s], "seed " + std::to_string(s));
    for (std::size_t i = 0; i < kCopies; ++i) {
      const std::size_t s = i % seeds.size();
      RequireDocumented(harness, Damaged(seeds[s], random), "copy " + std::to_string(i));
    }
  }
}

TEST_CASE("undocumented errors and empty messages count as findings") {
  CHECK_NOTHROW(Documented([] { throw DataError("a line"); }));
  CHECK_THROWS_AS(Documented([] { throw DataError(""); }), std::logic_error);
  CHECK_THROWS_AS(Documented([] { throw std::out_of_range("at"); }), std::out_of_range);
}

}  // namespace
}  // namespace okbench::fuzz
