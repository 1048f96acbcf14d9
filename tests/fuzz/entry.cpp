// The entry points of libFuzzer. OKBENCH_HARNESS names the harness. `--seeds FOLDER` writes its seed
// inputs and the dictionary FOLDER.dict.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/environment.h"
#include "tests/fuzz/harness.h"

namespace {

okbench::fuzz::Harness Named(const std::string& name) {
  for (okbench::fuzz::Harness& harness : okbench::fuzz::Harnesses())
    if (harness.name == name) return std::move(harness);
  std::fprintf(stderr, "OKBENCH_HARNESS: there is no harness '%s'\n", name.c_str());
  std::exit(2);
}

const okbench::fuzz::Harness& Fuzzed() {
  static const okbench::fuzz::Harness harness = Named(okbench::Environment("OKBENCH_HARNESS"));
  return harness;
}

void WriteSeeds(const std::string& folder) {
  std::filesystem::create_directories(folder);
  int count = 0;
  for (const std::string& seed : Fuzzed().seeds())
    std::ofstream(folder + "/seed-" + std::to_string(count++), std::ios::binary) << seed;
  std::ofstream words(folder + ".dict");
  for (const std::string& word : Fuzzed().words) {
    words << '"';
    for (const char c : word) {
      char escaped[5];
      std::snprintf(escaped, sizeof(escaped), "\\x%02X",
                    static_cast<unsigned>(static_cast<unsigned char>(c)));
      words << escaped;
    }
    words << "\"\n";
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  if (*count == 3 && std::strcmp((*words)[1], "--seeds") == 0) {
    WriteSeeds((*words)[2]);
    std::exit(0);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  Fuzzed().run({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
