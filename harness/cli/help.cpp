// `okbench help [TOPIC [NAME]]`.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "base/error.h"
#include "base/nearest.h"
#include "harness/cli/list.h"
#include "harness/cli/python_verbs.h"
#include "harness/cli/topics.h"
#include "harness/cli/verb.h"

namespace okbench {
namespace {

constexpr const char* kEnvironment =
    "Environment variables:\n"
    "  OKBENCH_MIRROR         Folder with data files, used instead of the network\n"
    "  OKBENCH_CACHE          Folder of downloaded data (default: ~/.cache/okbench)\n"
    "  OKBENCH_DATA           Folder of data sets added with `okbench data add`\n"
    "  OKBENCH_CATALOG        Additional catalogs of data sets, separated by colons\n"
    "  OKBENCH_EXPERIMENTS    Additional folders of specs and claims, separated by colons\n"
    "  OKBENCH_FIGURES        Additional figure scripts, separated by colons\n"
    "  OKBENCH_MEASURES       Folders of additional measures, separated by colons\n"
    "  OKBENCH_FETCH_SECONDS  Time limit for one download in seconds (default: 3600)\n"
    "  OKBENCH_STALE          1: accept results of an older spec, data set or revision\n"
    "  OKBENCH_PLUGINS        Shared libraries with learners, separated by colons\n"
    "  OKBENCH_ISA            Instruction set of the kernel engine (default: best)\n"
    "  OKBENCH_PYTHON         Python interpreter for verbs written in Python\n"
    "  OKBENCH_HOME           Folder with okbench's experiments/ and datasets/\n";

struct HelpOptions {
  std::string topic, name;
  bool json = false;
};

int ShowHelp(const CLI::App& program, const HelpOptions& options) {
  const std::string& topic = options.topic;
  const std::vector<std::string>& lists = ListNames();
  if (std::find(lists.begin(), lists.end(), topic) != lists.end()) {
    ShowList(topic, options.name, options.json);
    return 0;
  }
  for (const PythonVerb& verb : PythonVerbs())
    if (verb.name == (options.name.empty() ? topic : topic + " " + options.name))
      return BecomePythonVerb(verb.name, {"--help"});
  if (options.json || !options.name.empty())
    throw RequestError(fmt::format("help: a name and --json are for lists: {}", fmt::join(lists, ", ")));
  if (topic.empty()) {
    fmt::print("{}", program.help());
    return 0;
  }
  if (topic == "environment") {
    fmt::print("{}", kEnvironment);
    return 0;
  }
  for (const CLI::App* verb : program.get_subcommands({}))
    if (verb->get_name() == topic) {
      fmt::print("{}", verb->help());
      return 0;
    }
  if (DescribeTopic(topic)) return 0;
  throw SpecError("help: unknown topic '" + topic + "'" +
                  DidYouMean(topic, NamedTopics(),
                             fmt::format("topics are environment, lists ({}), and everything that they name",
                                         fmt::join(lists, ", "))));
}

}  // namespace

Verb AddHelp(CLI::App& program) {
  CLI::App* verb =
      AddVerb(program, "help",
              "List learners, data sets, spec keys, ..., or describe one, or a verb, paper or experiment",
              "okbench help learners; okbench help norma; okbench help svmd-2006/fig3");
  const auto options = std::make_shared<HelpOptions>();
  AddOption(*verb, "topic", options->topic,
            fmt::format("A list ({}), a verb, environment, norma, kernel.sigma, svmd-2006, ...",
                        fmt::join(ListNames(), ", "))
                .c_str());
  AddOption(*verb, "name", options->name, "One item of a list (default: all)");
  AddJson(*verb, options->json);
  return {verb, [&program, options] { return ShowHelp(program, *options); }};
}

void AddPythonVerbs(CLI::App& program) {
  for (const PythonVerb& python : PythonVerbs())
    // `data add` is an action of `data`, which lists it.
    if (python.name.find(' ') == std::string::npos)
      program.add_subcommand(python.name, python.help)->prefix_command()->set_help_flag();
}

}  // namespace okbench
