// `okbench completion bash|zsh|fish`.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "harness/cli/python_verbs.h"
#include "harness/cli/verb.h"

namespace okbench {
namespace {

// An option, or a positional argument, with its choices.
struct Offer {
  std::string name;                  // "--tier"; empty for a positional argument
  std::string help;                  // one line
  std::vector<std::string> choices;  // of its value
  bool takes_value = true;
};

// CLI11 writes what a value may be as "TEXT:{quick,default,paper}".
std::vector<std::string> ChoicesIn(const std::string& type) {
  const std::size_t open = type.find('{'), close = type.find('}');
  std::vector<std::string> choices;
  if (open == std::string::npos || close == std::string::npos) return choices;
  std::string choice;
  for (const char c : type.substr(open + 1, close - open - 1)) {
    if (c == ',') {
      choices.push_back(choice);
      choice.clear();
    } else {
      choice += c;
    }
  }
  choices.push_back(choice);
  return choices;
}

// Options of a verb that is written in Python; none for another verb.
std::vector<Offer> PythonOffers(const std::string& verb) {
  static const nlohmann::json python = PythonVerbOptions();
  std::vector<Offer> offers;
  if (const auto entry = python.find(verb); entry != python.end())
    for (const auto& option : *entry)
      offers.push_back({.name = option.at("name"),
                        .help = option.at("help"),
                        .choices = option.at("choices"),
                        .takes_value = option.at("takes_value")});
  return offers;
}

std::vector<Offer> OffersOf(const CLI::App& app) {
  std::vector<Offer> offers = PythonOffers(app.get_name());
  // The second word of verbs such as `export crate`.
  Offer second;
  for (const PythonVerb& verb : PythonVerbs())
    if (verb.name.starts_with(app.get_name() + " "))
      second.choices.push_back(verb.name.substr(app.get_name().size() + 1));
  for (const CLI::Option* option : app.get_options()) {
    const std::vector<std::string>& names = option->get_lnames();
    if (names.empty() && !option->get_positional()) continue;
    if (names.empty() && !second.choices.empty()) {
      // One list for the first argument.
      for (const std::string& choice : ChoicesIn(option->get_type_name()))
        if (std::find(second.choices.begin(), second.choices.end(), choice) == second.choices.end())
          second.choices.push_back(choice);
      continue;
    }
    offers.push_back({.name = names.empty() ? "" : "--" + names.front(),
                      .help = option->get_description(),
                      .choices = ChoicesIn(option->get_type_name()),
                      .takes_value = option->get_items_expected_max() > 0});
  }
  if (!second.choices.empty()) offers.push_back(second);
  return offers;
}

// A verb of one or two words.
struct Completed {
  std::string name, help;
  std::vector<Offer> offers;
};

std::vector<Completed> CompletedVerbs(const CLI::App& program) {
  std::vector<Completed> verbs;
  for (const CLI::App* verb : program.get_subcommands({}))
    verbs.push_back({verb->get_name(), verb->get_description(), OffersOf(*verb)});
  for (const PythonVerb& verb : PythonVerbs())
    if (verb.name.find(' ') != std::string::npos)
      verbs.push_back({verb.name, verb.help, PythonOffers(verb.name)});
  return verbs;
}

bool HasTwoWords(const Completed& verb) { return verb.name.find(' ') != std::string::npos; }

// "'data add'|'data fetch'|...": a pattern of shells for verbs of two words.
std::string TwoWords(const std::vector<Completed>& verbs) {
  std::string pattern;
  for (const Completed& verb : verbs)
    if (HasTwoWords(verb)) pattern += (pattern.empty() ? "'" : "|'") + verb.name + "'";
  return pattern;
}

std::string Joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

// For single quotes of a shell.
std::string Quoted(std::string text) {
  std::string quoted;
  for (const char c : text) {
    if (c == '\'') quoted += "'\\'";
    quoted += c;
  }
  return "'" + quoted + "'";
}

// The shell command that lists the names that the first argument of a verb accepts. Names with other
// characters are left out, because bash's compgen would expand them.
const char* NamesOf(const std::string& verb) {
  if (verb == "data" || verb == "data fetch")
    return "okbench help datasets 2> /dev/null | awk 'NR > 1 && $1 ~ /^[A-Za-z0-9._+-]+$/ { print $1 }'";
  if (verb == "claims")
    return "okbench help experiments 2> /dev/null | awk 'NR > 1 { print $1; sub(\"/.*\", \"\", $1); print $1 "
           "}'";
  if (verb == "help")
    return "okbench help experiments 2> /dev/null | awk 'NR > 1 { print $1; sub(\"/.*\", \"\", $1); print $1 "
           "}'; "
           "okbench help learners --json 2> /dev/null | awk -F '\"' '$2 == \"name\" && $4 ~ "
           "/^[A-Za-z0-9._+-]+$/ { print $4 }'; "
           "okbench help keys 2> /dev/null | awk 'NR > 1 && $1 ~ /^[A-Za-z0-9._-]+$/ { print $1 }'";
  if (verb == "run" || verb == "plan" || verb == "plot")
    return "okbench help experiments 2> /dev/null | awk 'NR > 1 && $NF ~ /^[A-Za-z0-9._+\\/-]+$/ { print $NF "
           "}'";
  return nullptr;
}

// Verbs with names in place of the first argument; `data` has an action first.
constexpr const char* kNamedVerbs[] = {"data", "data fetch", "claims", "help", "run", "plan", "plot"};

// The shell command that lists the keys of specs, for --set.
constexpr const char* kKeys =
    "okbench help keys 2> /dev/null | awk 'NR > 1 && $1 ~ /^[A-Za-z0-9._-]+$/ { print $1 \"=\" }'";

std::string Bash(const CLI::App& program) {
  const std::vector<Completed> completed = CompletedVerbs(program);
  std::string verbs, cases;
  for (const Completed& verb : completed) {
    if (!HasTwoWords(verb)) verbs += " " + verb.name;
    std::string options, values;
    std::vector<std::string> places;
    for (const Offer& offer : verb.offers) {
      if (offer.name.empty()) {
        places.insert(places.end(), offer.choices.begin(), offer.choices.end());
        continue;
      }
      options += " " + offer.name;
      if (!offer.choices.empty())
        values +=
            fmt::format("      {}) words={} files=; return ;;\n", offer.name, Quoted(Joined(offer.choices)));
      else if (offer.name == "--set")
        values += fmt::format("      --set) words=$({}) files=; return ;;\n", kKeys);
    }
    cases += fmt::format("    {}) options={}\n      case $before in\n{}      *) ;;\n      esac ;;\n",
                         Quoted(verb.name), Quoted(Joined(places) + options), values);
  }
  std::string names;
  for (const std::string verb : kNamedVerbs)
    names += fmt::format("  [ \"$verb\" = {} ] && [ \"$COMP_CWORD\" -gt {} ] && words=\"$words $({})\"\n",
                         Quoted(verb), verb.starts_with("data") ? 2 : 1, NamesOf(verb));
  return fmt::format(R"(# Completion of okbench for bash, made by okbench completion bash.
_okbench_words() {{
  case $verb in
{}    *) options='' ;;
  esac
  words=$options files=yes
{}}}
_okbench() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} verb=${{COMP_WORDS[1]-}}
  local words options files
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W {} -- "$word")
    return
  fi
  case "$verb ${{COMP_WORDS[2]-}}" in
    {}) [ "$COMP_CWORD" -gt 2 ] && verb="$verb ${{COMP_WORDS[2]}}" ;;
  esac
  _okbench_words
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word"; [ -z "$files" ] || compgen -f -- "$word")
}}
complete -o filenames -F _okbench okbench
)",
                     cases, names, Quoted(verbs.substr(1) + " --help --version --isa --plugin"),
                     TwoWords(completed));
}

// Brackets and colons divide zsh's specifications.
std::string Plain(const std::string& text) {
  std::string plain;
  for (const char c : text) plain += c == '[' || c == ']' || c == ':' || c == '\'' ? ' ' : c;
  return plain;
}

// Further arguments of a verb for zsh: files, and names if the verb accepts some.
std::string Rest(const std::string& verb) {
  const char* names = NamesOf(verb);
  if (names == nullptr) return "'*:file:_files'";
  return Quoted("*:name:{ _files; compadd -- $(" + std::string(names) + ") }");
}

std::string Zsh(const CLI::App& program) {
  const std::vector<Completed> completed = CompletedVerbs(program);
  std::string verbs, cases;
  for (const Completed& verb : completed) {
    if (!HasTwoWords(verb)) verbs += fmt::format("    {}\n", Quoted(verb.name + ":" + Plain(verb.help)));
    std::string specifications;
    for (const Offer& offer : verb.offers) {
      const std::string value = !offer.takes_value      ? ""
                                : offer.choices.empty() ? ":value:_files"
                                                        : ":value:(" + Joined(offer.choices) + ")";
      if (!offer.name.empty())
        specifications += " \\\n      " + Quoted(offer.name + "[" + Plain(offer.help) + "]" + value);
      else if (!offer.choices.empty())
        specifications += " \\\n      " + Quoted("1:what:(" + Joined(offer.choices) + ")");
    }
    cases += fmt::format("    {}) _arguments{} \\\n      {} ;;\n", Quoted(verb.name), specifications,
                         Rest(verb.name));
  }
  return fmt::format(R"(#compdef okbench
# Completion of okbench for zsh, made by okbench completion zsh.
_okbench() {{
  local -a verbs
  verbs=(
{}  )
  if (( CURRENT == 2 )); then
    _describe 'verb' verbs
    return
  fi
  local verb=${{words[2]}}
  case "$verb ${{words[3]-}}" in
    {}) (( CURRENT > 3 )) && verb="$verb ${{words[3]}}" && shift words && (( CURRENT-- )) ;;
  esac
  shift words
  (( CURRENT-- ))
  case $verb in
{}  esac
}}
compdef _okbench okbench
)",
                     verbs, TwoWords(completed), cases);
}

std::string Fish(const CLI::App& program) {
  std::string text = "# Completion of okbench for fish, made by okbench completion fish.\n";
  for (const Completed& verb : CompletedVerbs(program)) {
    const std::string& name = verb.name;
    std::string seen;
    if (HasTwoWords(verb)) {
      const std::size_t blank = name.find(' ');
      seen = Quoted("__fish_seen_subcommand_from " + name.substr(0, blank) +
                    "; and __fish_seen_subcommand_from " + name.substr(blank + 1));
    } else {
      text += fmt::format("complete -c okbench -n __fish_use_subcommand -f -a {} -d {}\n", name,
                          Quoted(verb.help));
      seen = Quoted("__fish_seen_subcommand_from " + name);
    }
    if (const char* names = NamesOf(name); names != nullptr)
      text += fmt::format("complete -c okbench -n {} -a {}\n", seen, Quoted("(" + std::string(names) + ")"));
    for (const Offer& offer : verb.offers) {
      const std::string choices = offer.choices.empty() ? "" : " -f -a " + Quoted(Joined(offer.choices));
      if (!offer.name.empty())
        text += fmt::format("complete -c okbench -n {} -l {}{}{} -d {}\n", seen, offer.name.substr(2),
                            offer.takes_value ? " -r" : "", choices, Quoted(offer.help));
      else if (!choices.empty())
        text += fmt::format("complete -c okbench -n {}{}\n", seen, choices);
    }
  }
  return text;
}

}  // namespace

Verb AddCompletion(CLI::App& program) {
  CLI::App* verb = AddVerb(program, "completion", "Print a script that completes okbench commands in a shell",
                           "okbench completion bash > ~/.local/share/bash-completion/completions/okbench");
  const auto shell = std::make_shared<std::string>();
  AddOption(*verb, "shell", *shell, "bash, zsh or fish",
            {.required = true, .one_of = {"bash", "zsh", "fish"}});
  return {
      verb, [&program, shell] {
        fmt::print("{}", *shell == "bash" ? Bash(program) : *shell == "zsh" ? Zsh(program) : Fish(program));
        return 0;
      }};
}

}  // namespace okbench
