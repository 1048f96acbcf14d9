#include "harness/cli/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/environment.h"
#include "base/error.h"
#include "base/names.h"
#include "base/nearest.h"
#include "harness/cli/data_sets.h"
#include "harness/cli/python_verbs.h"
#include "harness/cli/verb.h"
#include "harness/plan/plugins.h"
#include "harness/system/json_file.h"
#include "harness/system/paths.h"
#include "harness/system/provenance.h"
#include "harness/system/standard_streams.h"
#include "learners/kernels/target.h"

namespace okbench {
namespace {

constexpr int kInvalidRequest = 2;

using Arguments = std::vector<std::string>;

// Index of the verb: the first word that is neither an option nor an option's value.
std::size_t VerbIndex(const Arguments& words) {
  std::size_t i = 0;
  while (i < words.size() && words[i].starts_with("-"))
    i += words[i] == "--isa" || words[i] == "--plugin" ? 2 : 1;
  return std::min(i, words.size());
}

// Verbs of earlier versions and the words that replace them. Two words come before their first one.
constexpr std::pair<const char*, const char*> kRenamed[] = {
    {"league submit", "board submit"}, {"league verify", "board verify"},
    {"league board", "board"},         {"list", "help"},
    {"show", "summary --trace"},       {"figures", "report figures"},
    {"history", "check history"},      {"merge", "verify"},
    {"crate", "export crate"}};

// Replaces a verb of an earlier version, and names the new one on standard error.
void Rename(Arguments& words) {
  const std::size_t i = VerbIndex(words);
  for (const auto& [before, now] : kRenamed) {
    const std::size_t length = std::string_view(before).find(' ') == std::string_view::npos ? 1 : 2;
    if (i + length > words.size() ||
        fmt::format("{}", fmt::join(&words[i], &words[i] + length, " ")) != before)
      continue;
    PrintToError("okbench: `okbench {}` is now `okbench {}`\n", before, now);
    std::istringstream parts(now);
    const Arguments replacing{std::istream_iterator<std::string>(parts), {}};
    const auto place = words.erase(words.begin() + static_cast<std::ptrdiff_t>(i),
                                   words.begin() + static_cast<std::ptrdiff_t>(i + length));
    words.insert(place, replacing.begin(), replacing.end());
    return;
  }
}

// The groups of verbs in --help, in the order of the work. Other verbs are hidden.
constexpr std::pair<const char*, const char*> kGroups[] = {
    {"run", "Run"},     {"plan", "Run"},     {"league", "Run"},    {"data", "Run"},     {"summary", "Read"},
    {"plot", "Read"},   {"claims", "Read"},  {"report", "Read"},   {"compare", "Read"}, {"measure", "Read"},
    {"export", "Read"}, {"check", "Verify"}, {"verify", "Verify"}, {"board", "Verify"}, {"help", "Help"}};

void GroupVerbs(CLI::App& app) {
  for (CLI::App* verb : app.get_subcommands({})) verb->group("");
  for (const auto& [name, group] : kGroups) {
    // CLI11 lists verbs in the order in which they were added.
    const CLI::App_p verb = app.get_subcommand_ptr(name);
    app.remove_subcommand(verb.get());
    app.add_subcommand(verb)->group(group);
  }
}

struct PythonCall {
  std::string verb;
  Arguments arguments;
};

// Removes the program's options from the words of a verb in Python, and sets the variables that its module
// reads.
Arguments WithoutProgramOptions(const Arguments& words) {
  Arguments rest;
  std::string plugins = Environment("OKBENCH_PLUGINS");
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string option = words[i].substr(0, words[i].find('='));
    if (option != "--plugin" && option != "--isa") {
      rest.push_back(words[i]);
      continue;
    }
    const bool apart = option == words[i];
    if (apart && i + 1 == words.size()) throw RequestError(option + ": needs a value");
    const std::string value = apart ? words[++i] : words[i].substr(option.size() + 1);
    if (option == "--plugin")
      plugins += (plugins.empty() ? "" : ":") + value;
    else
      setenv("OKBENCH_ISA", value.c_str(), 1);
  }
  if (!plugins.empty()) setenv("OKBENCH_PLUGINS", plugins.c_str(), 1);
  return rest;
}

// The verb written in Python that these words name, if any. Two-word verbs ("data add") come first.
std::optional<PythonCall> FindPythonCall(const Arguments& words) {
  const std::size_t i = VerbIndex(words);
  for (const std::size_t length : {2, 1}) {
    if (i + length > words.size()) continue;
    const std::string name = length == 2 ? words[i] + " " + words[i + 1] : words[i];
    for (const PythonVerb& verb : PythonVerbs())
      if (verb.name == name)
        return PythonCall{name,
                          Arguments(words.begin() + static_cast<std::ptrdiff_t>(i + length), words.end())};
  }
  return std::nullopt;
}

// "unknown verb 'foo'; did you mean ...?" when the verb is unknown, else "".
std::string UnknownVerb(const CLI::App& app, const Arguments& words) {
  const std::size_t i = VerbIndex(words);
  if (i == words.size()) return "";
  Arguments verbs;
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_name() == words[i]) return "";
    if (!verb->get_group().empty()) verbs.push_back(verb->get_name());
  }
  return "unknown verb '" + words[i] + "'" +
         DidYouMean(words[i], verbs, fmt::format("verbs are {}", fmt::join(verbs, ", ")));
}

// The command that shows the help of the verb, or of the program.
std::string HelpOf(const CLI::App& app, const Arguments& words) {
  const std::size_t i = VerbIndex(words);
  const bool known = i < words.size() && UnknownVerb(app, words).empty();
  return known ? "okbench " + words[i] + " --help" : "okbench --help";
}

// Paths and names become lines of plans, comments of specs and texts of traces. A reason may have several
// lines. Throws RequestError.
void RequireText(const Arguments& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.starts_with("--reason=") || (i > 0 && words[i - 1] == "--reason")) continue;
    const auto control = [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7F; };
    if (std::any_of(word.begin(), word.end(), control))
      throw RequestError("'" + OneLine(word) + "' contains a control character; rename the file or folder");
    if (!IsUtf8(word)) throw RequestError("'" + word + "' is not valid UTF-8; rename the file or folder");
  }
}

}  // namespace

int RunCommandLine(int argc, char** argv) {
  Arguments words(argv + 1, argv + argc);
  RequireText(words);
  Rename(words);
  CLI::App app{"Run, compare and check benchmarks of online kernel learners.", "okbench"};
  app.require_subcommand(1);
  app.fallthrough();
  app.set_version_flag("--version", ProgramVersion(), "Print version, commit and compiler");
  std::string isa = Environment("OKBENCH_ISA");
  if (isa.empty()) isa = "best";
  app.add_option("--isa", isa, "Set the instruction set of the kernel engine: best, avx2, avx512, ...")
      ->capture_default_str();
  Arguments plugins = EnvironmentList("OKBENCH_PLUGINS");
  app.add_option("--plugin", plugins, "Load a learner from a shared library; may be repeated")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("FILE");
  app.footer(
      "\nExample: okbench run experiments/smoke/online-svm.toml\n"
      "okbench VERB --help describes a verb; okbench help environment lists the variables.\n"
      "Exit status: 0 success, 1 failure or mismatch, 2 invalid request, 130 interrupted.");

  const Verb verbs[] = {AddCheck(app), AddCompletion(app), AddData(app),  AddHelp(app),
                        AddPlan(app),  AddRun(app),        AddVerify(app)};
  if (FindPythonCall(words)) {
    const PythonCall call = *FindPythonCall(WithoutProgramOptions(words));
    return BecomePythonVerb(call.verb, call.arguments);
  }
  AddPythonVerbs(app);
  GroupVerbs(app);
  try {
    app.parse(Arguments(words.rbegin(), words.rend()));  // CLI11 takes the last word first
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      const int status = app.exit(error);
      FlushOutput();
      return status;
    }
    const std::string unknown = UnknownVerb(app, words);
    PrintToError("okbench: {} (see {})\n", unknown.empty() ? error.what() : unknown, HelpOf(app, words));
    return kInvalidRequest;
  }
  ReportSlowLoads();
  SelectTarget(isa);
  for (const std::string& plugin : plugins) LoadPlugin(plugin);
  for (const Verb& verb : verbs)
    if (verb.options->parsed()) {
      const int status = verb.act();
      FlushOutput();
      return status;
    }
  return kInvalidRequest;  // unreachable: CLI11 requires a verb
}

}  // namespace okbench
