// `okbench compare A B`: compares two traces, or two result folders.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "harness/cli/printing.h"
#include "harness/cli/verb.h"
#include "harness/store/comparison.h"
#include "harness/store/result_sets.h"
#include "learners/core/error.h"

namespace okbench {
namespace {

using nlohmann::json;

constexpr std::size_t kShown = 20;  // most differences printed

struct CompareOptions {
  std::string a, b;
  bool json = false;
  double level = 0;  // > 0: exit status depends on errors and counts instead of bits
};

void PrintSets(const SetComparison& comparison) {
  std::vector<std::vector<std::string>> table = {{"learner", "measure", "seeds", "a", "b", "b - a",
                                                  "95 % interval", "effect d", "p (Holm)", "requested",
                                                  "computed", "evaluation", "SVs"}};
  for (const LearnerComparison& one : comparison.learners) {
    const bool tested = one.error.n >= 2;
    // Error rates are printed in percent.
    const double unit = one.measure.find("rmse") == std::string::npos ? 100 : 1;
    table.push_back(
        {one.name, one.measure + (unit == 100 ? " %" : ""), std::to_string(one.error.n),
         fmt::format("{:.4g}", unit * one.a), fmt::format("{:.4g}", unit * one.b),
         fmt::format("{:+.3g}", unit * one.error.mean),
         tested ? fmt::format("{:+.3g} .. {:+.3g}", unit * one.error.low, unit * one.error.high) : "-",
         tested ? fmt::format("{:+.2f}", one.error.effect) : "-",
         tested ? fmt::format("{:.3g}", one.adjusted_p) : "-", fmt::format("{:+}", one.requested),
         fmt::format("{:+}", one.computed), fmt::format("{:+}", one.evaluation),
         fmt::format("{:+}", one.support_vectors)});
  }
  if (!comparison.learners.empty()) PrintColumns(table);
  const auto missing = [](const std::vector<std::string>& names, const char* where) {
    for (const std::string& name : names) fmt::print("{}: only in {}\n", name, where);
  };
  missing(comparison.only_a, "a");
  missing(comparison.only_b, "b");
  for (const std::string& name : comparison.failed) fmt::print("{}\n", name);
  for (const std::string& name : comparison.unlike)
    fmt::print("{}: not compared: data or number of examples differs\n", name);
}

void PrintJson(const Comparison& bits, const SetComparison& sets, bool equal) {
  json differences = json::array();
  for (const Difference& d : bits.differences)
    differences.push_back({{"trial", d.trial},
                           {"table", d.table},
                           {"column", d.column},
                           {"row", d.row},
                           {"a", d.a},
                           {"b", d.b}});
  fmt::print("{}\n", json{{"format", 1},
                          {"equal", equal},
                          {"compared", bits.compared},
                          {"differences", differences},
                          {"sets", ToJson(sets)}}
                         .dump(1));
}

void PrintDifferences(const std::vector<Difference>& differences) {
  for (std::size_t i = 0; i < std::min(differences.size(), kShown); ++i) {
    const Difference& d = differences[i];
    std::string where = d.trial;
    if (!d.table.empty()) where += ": " + d.table;
    if (!d.column.empty()) where += "/" + d.column;
    if (d.row >= 0) where += ", row " + std::to_string(d.row);
    fmt::print("{}: {} against {}\n", where, d.a, d.b);
  }
  if (differences.size() > kShown) fmt::print("and {} more\n", differences.size() - kShown);
}

// Number of pairs that agree. A file that one side lacks is not a pair.
std::size_t Agreeing(const Comparison& bits) {
  const auto different =
      static_cast<std::size_t>(std::count_if(bits.differences.begin(), bits.differences.end(),
                                             [](const Difference& d) { return !d.table.empty(); }));
  return bits.compared - std::min(bits.compared, different);
}

int ShowComparison(const CompareOptions& options) {
  const Comparison bits = Compare(options.a, options.b);
  const bool folders = std::filesystem::is_directory(options.a);
  if (options.level > 0 && !folders) throw SpecError("--level needs two folders: it tests errors over seeds");
  SetComparison sets;
  if (folders) sets = CompareSets(options.a, options.b, PrintErrorLine);
  const bool equal = bits.differences.empty() && sets.failed.empty();
  if (options.json) {
    PrintJson(bits, sets, equal);
  } else if (equal) {
    fmt::print("{} {} bit for bit\n", bits.compared, bits.compared == 1 ? "trace agrees" : "traces agree");
  } else {
    PrintDifferences(bits.differences);
    if (folders) {
      fmt::print("{} of {} traces agree bit for bit\n", Agreeing(bits), bits.compared);
      PrintSets(sets);
    }
  }
  const bool different = options.level > 0 ? Differs(sets, options.level) : !equal;
  return different ? 1 : 0;
}

}  // namespace

Verb AddCompare(CLI::App& program) {
  CLI::App* verb = AddVerb(program, "compare", "Compare two traces or two result folders bit for bit",
                           "okbench compare results/default /mnt/other/results/default");
  const auto options = std::make_shared<CompareOptions>();
  AddOption(*verb, "a", options->a, "Trace file or folder", {.required = true});
  AddOption(*verb, "b", options->b, "Trace file or folder", {.required = true});
  AddOption(*verb, "--level", options->level,
            "Ignore error differences that are not significant at this level", {.range = {{1e-12, 1.0}}});
  AddJson(*verb, options->json);
  return {verb, [options] { return ShowComparison(*options); }};
}

}  // namespace okbench
