#include "harness/job.h"

#include "harness/error.h"
#include "harness/trace_file.h"

namespace okbench {

namespace fs = std::filesystem;

std::vector<Job> PrepareJobs(const std::vector<std::string>& specs, const std::string& tier,
                             const std::vector<std::string>& overrides, const std::string& out,
                             const Catalog& catalog, const DataFolders& folders) {
  std::vector<Job> jobs;
  for (const std::string& path : specs) {
    // Claims lie beside the specs, so that experiments/*/*.toml names them, too.
    if (fs::path(path).filename() == "claims.toml") continue;
    Job job;
    job.spec = ReadSpec(path, tier, overrides, catalog);
    job.trials = MakePlan(job.spec, catalog, folders);
    job.folder = fs::path(out.empty() ? "results/" + tier : out) / job.spec.experiment;
    for (const Job& other : jobs)
      if (other.folder == job.folder)
        throw SpecError(path + ": its experiment '" + job.spec.experiment + "' is also that of " +
                        other.spec.path);
    jobs.push_back(std::move(job));
  }
  return jobs;
}

bool HasResult(const fs::path& file, const Trial& trial, const std::function<void(const std::string&)>& say) {
  if (!fs::exists(file)) return false;
  try {
    return ReadTrace(file.string()).trial_id == trial.id;
  } catch (const TraceError& error) {
    if (say) say(error.what());
    return false;
  }
}

}  // namespace okbench
