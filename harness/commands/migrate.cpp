// `okbench migrate PATH...`: traces of older formats rewritten in the present one.

#include "harness/store/migrate.h"

#include <fmt/core.h>

#include <memory>

#include "harness/commands/printing.h"
#include "harness/commands/verb.h"

namespace okbench {
namespace {

int MigrateTraces(const std::vector<std::string>& paths) {
  const MigrateReport report = Migrate(paths, PrintErrorLine);
  fmt::print("{} traces rewritten, {} were of the present format, {} are damaged\n", report.rewritten,
             report.present, report.damaged);
  return report.damaged == 0 ? 0 : 1;
}

}  // namespace

Verb AddMigrate(CLI::App& program) {
  CLI::App* verb =
      AddVerb(program, "migrate", "Rewrite traces of older formats in the present one, once checked");
  const auto paths = std::make_shared<std::vector<std::string>>();
  AddOption(*verb, "path", *paths, "Trace files or result folders", {.required = true});
  return {verb, [paths] { return MigrateTraces(*paths); }};
}

}  // namespace okbench
