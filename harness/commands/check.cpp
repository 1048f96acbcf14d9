// `okbench check [SPEC...]`: the quick tier on generated data, compared with the committed references.

#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "harness/commands/printing.h"
#include "harness/commands/verb.h"
#include "harness/run/runner.h"
#include "harness/store/reference_files.h"
#include "harness/system/error.h"
#include "harness/system/paths.h"
#include "learners/kernels/target.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;

struct CheckOptions {
  std::vector<std::string> specs;  // none: all known ones
  std::string reference;           // folder; empty: the project's own
  bool update = false;
  int jobs = 0;  // as RunOptions
};

// A folder of its own, removed at the end.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "okbench-check-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw TraceError(name + ": cannot be made");
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string File(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

// The quick tier on generated data alone: the same everywhere, without any file.
int RunQuick(const CheckOptions& options, const Catalog& catalog, const Scratch& scratch) {
  const PlanRequest request{.specs = options.specs.empty() ? KnownSpecs() : options.specs,
                            .overrides = {},
                            .tier = "quick",
                            .out = scratch.File("results")};
  const DataFolders no_data{.cache = scratch.File("no-data"), .mirror = ""};
  return Run(PlanSpecs(request, catalog, no_data), {}, {.jobs = options.jobs, .quiet = true}, catalog,
             no_data);
}

int CheckReferences(const CheckOptions& options) {
  const Catalog catalog = ReadCatalog();
  ActiveTarget();  // refuses a processor without fused multiply-add before anything starts
  const std::string folder = options.reference.empty()
                                 ? (fs::path(HomeFolder()) / "results" / "reference").string()
                                 : options.reference;
  if (!options.update && !fs::is_directory(folder))
    throw SpecError(folder + ": no such folder of references; okbench check --update writes one");
  const Scratch scratch;
  const int status = RunQuick(options, catalog, scratch);
  if (status != 0) return status;
  const ReferenceReport report = CompareWithReferences(scratch.File("results"), folder, options.specs.empty(),
                                                       options.update, PrintLine);
  fmt::print("{} of {} trials as in the reference; {:.1f} s of learning (reported, not compared)\n",
             report.same, report.trials, report.seconds);
  if (report.changes == 0) return 0;
  if (options.update) {
    fmt::print("the reference is renewed: {} {}\n", report.changes,
               report.changes == 1 ? "change" : "changes");
    return 0;
  }
  fmt::print("when this change is meant: okbench check --update\n");
  return 1;
}

}  // namespace

Verb AddCheck(CLI::App& program) {
  CLI::App* verb =
      AddVerb(program, "check",
              "Run the quick tier on generated data and compare every trace with the committed reference");
  const auto options = std::make_shared<CheckOptions>();
  AddOption(*verb, "spec", options->specs, "Spec files; default: all");
  AddOption(*verb, "--reference", options->reference,
            "Folder of references; default: results/reference of the project");
  AddFlag(*verb, "--update", options->update, "Renew the reference, and show what changes");
  AddOption(*verb, "--jobs", options->jobs, "Trials side by side; default: one per core",
            {.range = {{1, 4096}}});
  return {verb, [options] { return CheckReferences(*options); }};
}

}  // namespace okbench
