// `okbench show FILE`: prints provenance, columns, and the first and last rows of a trace file.

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/error.h"
#include "harness/cli/verb.h"
#include "harness/trace/segment_index.h"
#include "harness/trace/trace_file.h"

namespace okbench {
namespace {

void PrintTrace(const std::string& path, const Trace& trace) {
  fmt::print("{}\n\ntrial {}\ndigest {}\n\nspec\n{}\n\nsummary\n{}\n\nprovenance\n{}\n", path, trace.trial_id,
             trace.Digest(), trace.spec.dump(2), trace.summary.dump(2), trace.provenance.dump(2));
  for (const Table& table : trace.tables) {
    fmt::print("\n{}: {} rows\n", table.name, table.rows());
    std::vector<std::size_t> shown;
    for (std::size_t row = 0; row < table.rows(); ++row)
      if (row < 3 || row + 3 >= table.rows()) shown.push_back(row);
    for (const Column& column : table.columns) {
      std::string line =
          fmt::format("  {:<18}{:<9}", column.name,
                      std::holds_alternative<std::vector<double>>(column.values) ? "float64" : "int64");
      for (std::size_t i = 0; i < shown.size(); ++i) {
        if (i > 0 && shown[i] != shown[i - 1] + 1) line += "  ...";
        line += "  " + column.Text(shown[i]);
      }
      fmt::print("{}{}\n", line, column.deterministic ? "" : "  (not in the digest)");
    }
  }
}

}  // namespace

Verb AddShow(CLI::App& program) {
  CLI::App* verb = AddVerb(program, "show", "Print a trace file: provenance, columns, first and last rows",
                           "okbench show results/default/svmd-2006/fig3/norma-r0-*.h5");
  const auto file = std::make_shared<std::string>();
  AddOption(*verb, "file", *file, "Trace file (.h5)", {.required = true});
  return {verb, [file] {
            if (!std::filesystem::exists(*file) && !IsPacked(*file))
              throw SpecError(*file + ": no such trace file");
            PrintTrace(*file, ReadTrace(*file));
            return 0;
          }};
}

}  // namespace okbench
