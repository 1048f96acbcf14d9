// The program okbench. Exit status: 0 all is well, 1 something failed or differs, 2 the request cannot be met
// as asked, 130 interrupted.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "datasets/environment.h"
#include "datasets/error.h"
#include "datasets/images/words.h"
#include "datasets/names.h"
#include "harness/commands/verb.h"
#include "harness/plan/plugins.h"
#include "harness/system/error.h"
#include "harness/system/memory.h"
#include "harness/system/provenance.h"
#include "harness/system/standard_streams.h"
#include "learners/core/contained.h"
#include "learners/core/error.h"
#include "learners/core/nearest.h"
#include "learners/kernels/target.h"

namespace {

using namespace okbench;  // NOLINT(google-build-using-namespace): the program's own file

constexpr int kFailed = 1;
constexpr int kBadRequest = 2;

template <class... Errors>
bool IsOneOf(const std::exception& error) {
  return ((dynamic_cast<const Errors*>(&error) != nullptr) || ...);
}

// Whether memory ran out, as the language or the operating system tells it.
bool IsShortage(const std::exception& error) {
  const auto* system = dynamic_cast<const std::system_error*>(&error);
  return IsOneOf<std::bad_alloc, std::length_error>(error) ||
         (system != nullptr && system->code() == std::errc::not_enough_memory);
}

int StatusOf(const std::exception& error) {
  return IsOneOf<SpecError, InvalidArgument, DataError, UnsupportedMachine>(error) ? kBadRequest : kFailed;
}

// Where the first word that is no option is no verb: "unknown verb 'foo'; did you mean ...?".
std::string UnknownVerb(const CLI::App& app, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--target" || word == "--plugin") {
      ++i;
      continue;
    }
    if (word.starts_with("-")) continue;
    std::vector<std::string> verbs;
    for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
    if (std::find(verbs.begin(), verbs.end(), word) != verbs.end()) return "";
    const std::string nearest = Nearest(word, verbs);
    return "unknown verb '" + word + "'" +
           (nearest.empty() ? fmt::format("; verbs are {}", fmt::join(verbs, ", "))
                            : "; did you mean '" + nearest + "'?");
  }
  return "";
}

// Of the environment, separated by colons.
std::vector<std::string> PluginsOf(const std::string& list) {
  std::vector<std::string> plugins;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ':');)
    if (!word.empty()) plugins.push_back(word);
  return plugins;
}

int Main(int argc, char** argv) {
  CLI::App app{
      "okbench: reproducible benchmarks of online kernel learners.\n"
      "Specs under experiments/ say what to run; traces go to results/; figures are drawn from traces.\n"};
  app.require_subcommand(1);
  app.fallthrough();
  app.set_version_flag("--version", ProgramVersion(), "The program's version, commit and compiler");
  app.footer(
      "\nEnvironment:\n"
      "  OKBENCH_MIRROR         folder of data files, in place of the network\n"
      "  OKBENCH_CACHE          where fetched data lies\n"
      "  OKBENCH_FETCH_SECONDS  that fetching a file may take, 3600\n"
      "  OKBENCH_DATA           where data that was added lies\n"
      "  OKBENCH_CATALOG, OKBENCH_EXPERIMENTS, OKBENCH_FIGURES\n"
      "                         catalogues, specs with claims, and figures of your own\n"
      "  OKBENCH_PLUGINS        as --plugin, separated by colons\n"
      "  OKBENCH_TARGET         instruction set, as --target\n"
      "  OKBENCH_PYTHON         interpreter for verbs that are written in Python, and for `data fetch`\n"
      "Exit status: 0 well, 1 failed or different, 2 bad request, 130 interrupted.");
  std::string target = Environment("OKBENCH_TARGET");
  if (target.empty()) target = "best";
  app.add_option(
         "--target", target,
         "Instruction set of the kernel engine: best, avx2, avx512, ... Results have the same bits on all")
      ->capture_default_str();
  std::vector<std::string> plugins = PluginsOf(Environment("OKBENCH_PLUGINS"));
  app.add_option("--plugin", plugins,
                 "A learner in a shared library (docs/adding-a-learner.md); may be repeated")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("FILE");

  // In the order of the help.
  const Verb verbs[] = {AddList(app),   AddData(app),    AddPlan(app),      AddRun(app),     AddSummary(app),
                        AddPlot(app),   AddShow(app),    AddFigures(app),   AddClaims(app),  AddLeague(app),
                        AddReport(app), AddCompare(app), AddMerge(app),     AddMigrate(app), AddCrate(app),
                        AddCheck(app),  AddHistory(app), AddCompletion(app)};
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      const int status = app.exit(error);
      FlushOutput();
      return status;
    }
    const std::string unknown = UnknownVerb(app, argc, argv);
    PrintToError("okbench: {} (see okbench --help)\n", unknown.empty() ? error.what() : unknown);
    return kBadRequest;
  }
  SelectTarget(target);
  for (const std::string& plugin : plugins) LoadPlugin(plugin);
  for (const Verb& verb : verbs)
    if (verb.options->parsed()) {
      const int status = verb.act();
      RequireMemory();
      FlushOutput();
      return status;
    }
  return kBadRequest;  // not reached: a verb is required
}

// Before the constructors of other files' objects, which allocate.
[[gnu::constructor(101)]] void Begin() { GuardMemory(); }

}  // namespace

int main(int argc, char** argv) {
  OpenStandardStreams();
  // A file that may grow no more is an error of its write, not an end without a word.
  std::signal(SIGXFSZ, SIG_IGN);
  ServeContained(argc, argv);
  SetWordsProgress([](const std::string& set, std::size_t done, std::size_t all) {
    if (done * 10 / all != (done - 1) * 10 / all)
      PrintToError("visual words of {}: {} of {} images\n", set, done, all);
  });
  try {
    return Main(argc, argv);
  } catch (const std::exception& error) {
    if (MemoryRanOut() || IsShortage(error)) {
      SayOutOfMemory();
      return kFailed;
    }
    PrintToError("okbench: {}\n", OneLine(error.what()));
    return StatusOf(error);
  }
}
