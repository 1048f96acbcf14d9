#include "harness/cli/verb.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <type_traits>

#include "harness/system/paths.h"

namespace okbench {

CLI::App* AddVerb(CLI::App& program, const char* name, const char* help, const char* example) {
  CLI::App* verb = program.add_subcommand(name, help);
  verb->footer(std::string("\nExample: ") + example +
               "\nEvery verb also has --plugin and --isa (okbench --help).");
  return verb;
}

template <class Value>
void AddOption(CLI::App& verb, const char* name, Value& value, const char* help, const OptionRules& rules) {
  CLI::Option* option = verb.add_option(name, value, help)->required(rules.required);
  if (!rules.one_of.empty()) option->check(CLI::IsMember(rules.one_of));
  if constexpr (!std::is_arithmetic_v<Value>)
    option->check([](const std::string& text) { return text.empty() ? "must not be empty" : ""; }, "");
  if constexpr (std::is_floating_point_v<Value>)  // a range does not exclude NaN
    option->check(
        [](const std::string& text) {
          return std::isnan(std::strtod(text.c_str(), nullptr)) ? "must be a number" : "";
        },
        "");
  if (rules.range) {
    // As help names them: INT or FLOAT.
    using Bound = std::conditional_t<std::is_integral_v<Value>, int, double>;
    option->check(
        CLI::Range(static_cast<Bound>(rules.range->first), static_cast<Bound>(rules.range->second)));
  }
  if (rules.repeated != nullptr)
    option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->type_name(rules.repeated);
  if (rules.show_default) option->capture_default_str();
}

template void AddOption(CLI::App&, const char*, std::string&, const char*, const OptionRules&);
template void AddOption(CLI::App&, const char*, std::vector<std::string>&, const char*, const OptionRules&);
template void AddOption(CLI::App&, const char*, int&, const char*, const OptionRules&);
template void AddOption(CLI::App&, const char*, std::size_t&, const char*, const OptionRules&);
template void AddOption(CLI::App&, const char*, double&, const char*, const OptionRules&);

void AddFlag(CLI::App& verb, const char* name, bool& value, const char* help) {
  verb.add_flag(name, value, help);
}

void Exclude(CLI::App& verb, const char* name, const char* other) {
  verb.get_option(name)->excludes(verb.get_option(other));
}

void AddSpecs(CLI::App& verb, PlanRequest& request) {
  AddOption(verb, "spec", request.specs, "Spec files, e.g. experiments/svmd-2006/fig3.toml",
            {.required = true});
  AddOption(verb, "--set", request.overrides,
            "Override a key of the spec, e.g. data.max_examples=500; may be repeated",
            {.repeated = "PATH=VALUE"});
}

void AddTier(CLI::App& verb, PlanRequest& request) {
  AddOption(verb, "--tier", request.tier,
            "Set the size of the run: quick (seconds), default (minutes), paper (an hour)",
            {.show_default = true, .one_of = {"quick", "default", "paper"}});
  AddFlag(verb, "--replace", request.replace,
          "Use the real data sets of datasets/replacements.toml in place of the named ones");
  AddFlag(verb, "--no-synthetic", request.no_synthetic, "Leave out trials whose data set has no files here");
}

void AddJson(CLI::App& verb, bool& as_json) { AddFlag(verb, "--json", as_json, "Print JSON"); }

}  // namespace okbench
