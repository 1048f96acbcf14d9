// Damaged trace files: none is accepted with other content, and none crashes the program. OKBENCH_FUZZ=full
// makes about 70000 attempts per file. OKBENCH_FUZZ_TRACES names a folder with more traces to damage.

#include <map>

#include "base/environment.h"
#include "base/error.h"
#include "harness/results/result_files.h"
#include "harness/trace/trace_file.h"
#include "learners/core/random.h"
#include "tests/catch.h"
#include "tests/harness/sample_trace.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

struct Tries {
  int flips, cuts, overwrites;
};

bool Full() { return Environment("OKBENCH_FUZZ") == "full"; }

// Files by name: a small one, and the files that the environment names.
std::map<std::string, std::string> Files() {
  const testing::TemporaryFolder folder;
  WriteTrace(folder.File("sample.h5"), testing::SampleTrace());
  std::map<std::string, std::string> files = {{"sample.h5", ReadBytes(folder.File("sample.h5"))}};
  if (const std::string more = Environment("OKBENCH_FUZZ_TRACES"); !more.empty())
    for (const std::string& path : TracesBelow(more)) files[path] = ReadBytes(more + "/" + path);
  return files;
}

// Visits damaged copies: flipped bits, truncations, and overwritten bytes and spans of random length.
template <class Visit>
void Damage(const std::string& bytes, const Tries& tries, const Visit& visit) {
  Random random(7);
  for (int i = 0; i < tries.flips; ++i) {
    std::string flipped = bytes;
    flipped[random.Below(bytes.size())] ^= static_cast<char>(1U << random.Below(8));
    visit(flipped);
  }
  for (int i = 0; i < tries.cuts; ++i) visit(bytes.substr(0, random.Below(bytes.size())));
  for (int i = 0; i < tries.overwrites; ++i) {
    std::string written_over = bytes;
    const std::size_t at = random.Below(bytes.size()), length = 1 + random.Below(64);
    for (std::size_t b = at; b < std::min(at + length, bytes.size()); ++b)
      written_over[b] = static_cast<char>(random.Below(256));
    if (written_over != bytes) visit(written_over);
  }
}

TEST_CASE("a trace file with any changed byte is rejected") {
  const Tries tries = Full() ? Tries{.flips = 60000, .cuts = 1500, .overwrites = 8000}
                             : Tries{.flips = 3000, .cuts = 300, .overwrites = 300};
  for (const auto& [name, bytes] : Files()) {
    INFO(name);
    CHECK_NOTHROW(ParseTrace(bytes, "t.h5"));
    int refused = 0, all = 0;
    Damage(bytes, tries, [&](const std::string& damaged) {
      ++all;
      try {
        ParseTrace(damaged, "t.h5");
      } catch (const TraceError& error) {
        refused += std::string_view(error.what()).starts_with("t.h5: ") ? 1 : 0;
      }
    });
    CHECK(refused == all);
    if (Full()) WARN(name << ": " << bytes.size() << " bytes, " << refused << " of " << all << " refused");
  }
}

}  // namespace
}  // namespace okbench
