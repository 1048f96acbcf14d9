// `okbench check [SPEC...]`: runs the quick tier on generated data and compares it with the references.

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>

#include "base/error.h"
#include "base/names.h"
#include "harness/cli/check_output.h"
#include "harness/cli/printing.h"
#include "harness/cli/quick_tier.h"
#include "harness/cli/verb.h"
#include "harness/reference/reference_files.h"
#include "harness/reference/reference_history.h"
#include "harness/run/runner.h"
#include "harness/spec/catalogs.h"
#include "harness/system/paths.h"
#include "learners/kernels/target.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;

constexpr int kSomeFailed = 1;  // return value of Run if trials failed

struct CheckOptions {
  std::vector<std::string> specs;  // empty: all known specs
  std::string reference;           // folder; empty: ReferenceFolder()
  bool update = false;
  std::string reason;  // reason of an update
  bool json = false, markdown = false;
  int jobs = 0;  // as RunOptions::jobs
};

// A temporary folder, removed by the destructor.
class Scratch {
 public:
  Scratch() {
    std::error_code missing;
    const fs::path folder = fs::temp_directory_path(missing);
    if (missing) throw TraceError("TMPDIR: names no folder for temporary files");
    std::string name = (folder / "okbench-check-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw TraceError(name + ": cannot be created");
    path_ = name;
  }
  ~Scratch() {
    std::error_code failed;
    fs::remove_all(path_, failed);
    if (failed) fs::remove_all(path_, failed);  // retry: the first attempt may have run out of memory
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string File(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

// The command that records the present results as references.
std::string UpdateCommand(const CheckOptions& options) {
  std::string command = "okbench check";
  for (const std::string& spec : options.specs) command += " " + spec;
  if (!options.reference.empty()) command += " --reference " + options.reference;
  return command + " --update --reason TEXT";
}

// Throws RequestError if the project's references would get those of another spec.
void RequireOwnFolder(const CheckOptions& options) {
  if (!options.update || !options.reference.empty()) return;
  const std::vector<std::string> known = KnownSpecs();
  for (const std::string& spec : options.specs)
    if (fs::exists(spec) && std::none_of(known.begin(), known.end(), [&](const std::string& other) {
          return fs::equivalent(spec, other);
        }))
      throw RequestError(
          spec + ": is not a spec of okbench; keep its reference in a folder of yours: --reference FOLDER");
}

int RunQuick(const CheckOptions& options, const Catalog& catalog, const Scratch& scratch) {
  const std::string no_data = scratch.File("no-data");
  return Run(PlanQuick(options.specs, scratch.File("results"), no_data, catalog), {},
             {.jobs = options.jobs, .quiet = true}, catalog, NoData(no_data));
}

// The reason on one line, with single spaces between words.
std::string ReasonOf(const CheckOptions& options) {
  std::istringstream text(OneLine(options.reason));
  std::string reason;
  for (std::string word; text >> word;) reason += (reason.empty() ? "" : " ") + word;
  return reason;
}

// Appends to the history, then writes the references. If an update is interrupted in between, the history has
// an entry for the changes that are still to be written.
void Renew(const ReferenceReport& report, ReferenceHistory& history, const std::string& reason) {
  if (history.has_unrecorded()) {
    if (reason.empty())
      throw SpecError(fmt::format("{} {} to the reference: add --reason TEXT",
                                  std::max(report.changes(), history.unexplained().size()),
                                  report.changes() == 1 ? "change" : "changes"));
    history.Append(reason);
  }
  WriteReferences(report);
}

void PrintPlain(const ReferenceReport& report, const ReferenceHistory& history, const CheckOptions& options) {
  const bool update = options.update;
  fmt::print("{} of {} trials match the reference; {:.1f} s of learning (reported, not compared)\n",
             report.Count(ReferenceState::kSame), report.compared(), report.seconds);
  if (const std::string others = NotCompared(report); !others.empty()) fmt::print("{}\n", others);
  if (report.changes() == 0) return;
  if (!history.recorded_reason().empty())
    fmt::print("{} the interrupted update of {}\n", update ? "finished" : "okbench check --update finishes",
               history.recorded_reason());
  if (update)
    fmt::print("reference updated: {} {}\n", report.changes(), report.changes() == 1 ? "change" : "changes");
  else if (history.has_unrecorded())
    fmt::print("if this change is intended: {}\n", UpdateCommand(options));
}

void Print(const ReferenceReport& report, const ReferenceHistory& history, const CheckOptions& options) {
  const bool updated = options.update && report.changes() > 0;
  if (options.json)
    fmt::print(
        "{}\n",
        CheckJson(report, updated).dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  else if (options.markdown)
    fmt::print("{}", CheckMarkdown(report, updated));
  else
    PrintPlain(report, history, options);
}

int CheckReferences(const CheckOptions& options) {
  if (options.json && options.markdown) throw SpecError("--json and --markdown exclude each other");
  if (!options.reason.empty() && !options.update) throw SpecError("--reason requires --update");
  const Catalog catalog = ReadCatalog();
  ActiveTarget();  // throws on a processor without fused multiply-add, before any work starts
  RequireOwnFolder(options);
  const std::string folder = options.reference.empty() ? ReferenceFolder() : options.reference;
  if (!options.update && !fs::is_directory(folder))
    throw SpecError(folder + ": no such folder of references; this creates it: " + UpdateCommand(options));
  ReferenceHistory history(folder);
  const Scratch scratch;
  const bool structured = options.json || options.markdown;
  const int status = RunQuick(options, catalog, scratch);
  if (status != 0 && (status != kSomeFailed || options.update || !structured)) return status;
  const ReferenceReport report = CompareWithReferences(scratch.File("results"), folder, options.specs.empty(),
                                                       structured ? LogFn(NoLog) : LogFn(PrintLine));
  history.Compare(report);
  if (options.update) Renew(report, history, ReasonOf(options));
  Print(report, history, options);
  if (options.update) return status != 0 ? 1 : 0;
  for (const std::string& name : history.unexplained())
    PrintErrorLine(name +
                   ": its reference is not that of its last entry in history.jsonl: restore the file, or "
                   "record a reason: " +
                   UpdateCommand(options));
  return status != 0 || report.changes() > 0 || !history.unexplained().empty() ? 1 : 0;
}

}  // namespace

Verb AddCheck(CLI::App& program) {
  CLI::App* verb = AddVerb(program, "check", "Run the quick tier and compare it with the committed reference",
                           "okbench check experiments/svmd-2006/fig3.toml");
  const auto options = std::make_shared<CheckOptions>();
  AddOption(*verb, "spec", options->specs, "Spec files (default: all)");
  AddOption(*verb, "--reference", options->reference,
            "Compare with this folder (default: results/reference)");
  AddFlag(*verb, "--update", options->update, "Update the reference and print the changes");
  AddOption(*verb, "--reason", options->reason, "Record why the reference changes (with --update)");
  AddJson(*verb, options->json);
  AddFlag(*verb, "--markdown", options->markdown, "Print Markdown for a comment on a pull request");
  AddOption(*verb, "--jobs", options->jobs,
            "Run this many trials in parallel (default: one per available core)", {.range = {{1, 4096}}});
  return {verb, [options] { return CheckReferences(*options); }};
}

}  // namespace okbench
