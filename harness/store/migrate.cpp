#include "harness/store/migrate.h"

#include <filesystem>

#include "harness/store/result_files.h"
#include "harness/store/trace_file.h"
#include "harness/store/trace_image.h"
#include "harness/system/error.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;

void MigrateFile(const fs::path& path, MigrateReport& report, const Say& say) try {
  const std::string bytes = ReadBytes(path.string());
  if (!IsFormat1(bytes)) {
    ParseTrace(bytes, path.string());
    ++report.present;
    return;
  }
  WriteTrace(path.string(), ParseImage(bytes, 1));
  ++report.rewritten;
} catch (const TraceError& error) {
  const std::string cause = error.what();
  say(cause.starts_with(path.string()) ? cause : path.string() + ": not a valid trace file: " + cause);
  ++report.damaged;
}

}  // namespace

MigrateReport Migrate(const std::vector<std::string>& paths, const Say& say) {
  MigrateReport report;
  for (const std::string& path : paths) {
    if (!fs::exists(path)) throw SpecError(path + ": no such file or folder");
    if (!fs::is_directory(path)) {
      MigrateFile(path, report, say);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(path))
      if (entry.is_regular_file() && IsTrace(entry.path())) MigrateFile(entry.path(), report, say);
  }
  return report;
}

}  // namespace okbench
