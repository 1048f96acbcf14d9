#include "harness/run/selection.h"

#include <fnmatch.h>

#include <set>

#include "base/error.h"
#include "harness/results/result_folder.h"
#include "harness/results/result_writer.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;

Work WorkOf(const PlannedSpec& spec, const Trial& trial) {
  return {.trial = &trial, .folder = &spec.folder, .packed = spec.trials.size() > kPackedPlan};
}

// The trials that match --only, with the search trials they need.
std::vector<Work> SelectByName(const std::vector<PlannedSpec>& specs, const std::string& only) {
  std::vector<Work> selected;
  for (const PlannedSpec& spec : specs) {
    std::set<std::string> wanted;
    for (const Trial& trial : spec.trials) {
      if (only.empty()) {
        selected.push_back(WorkOf(spec, trial));
        continue;
      }
      const std::string name = trial.Name();
      if (fnmatch(only.c_str(), name.c_str(), 0) != 0 && only != name && only != trial.id) continue;
      wanted.insert(trial.id);
      for (const std::string& id : trial.Needs()) wanted.insert(id);
    }
    for (const Trial& trial : spec.trials)
      if (wanted.contains(trial.id)) selected.push_back(WorkOf(spec, trial));
  }
  if (selected.empty() && !only.empty())
    throw SpecError("--only '" + only + "' matches no trial; --dry-run lists the names");
  return selected;
}

// Exactly the trials with these ids.
std::vector<Work> SelectByIds(const std::vector<PlannedSpec>& specs, const std::vector<std::string>& ids) {
  std::set<std::string> wanted(ids.begin(), ids.end());
  std::vector<Work> selected;
  for (const PlannedSpec& spec : specs)
    for (const Trial& trial : spec.trials)
      if (wanted.contains(trial.id)) selected.push_back(WorkOf(spec, trial));
  for (const Work& work : selected) wanted.erase(work.trial->id);
  if (!wanted.empty())
    throw SpecError("--trial " + *wanted.begin() +
                    ": no trial of these specs in this tier has this id; see "
                    "okbench plan. Ids depend on the data; check that the data is the same.");
  // Every required search trial must be finished or selected.
  std::set<std::string> here;
  for (const Work& work : selected) here.insert(work.file().string());
  for (const Work& work : selected)
    for (const Candidate& candidate : *work.trial->candidates)
      for (std::size_t f = 0; f < candidate.files.size(); ++f) {
        const fs::path fold = *work.folder / candidate.files[f];
        // A failed fold counts as finished. The trial then fails with "cross-validation".
        if (!here.contains(fold.string()) && !HasTrace(fold) && !fs::exists(FailureFile(fold)))
          throw SpecError("--trial " + work.trial->id + " (" + work.trial->Name() +
                          ") needs the result of trial " + candidate.ids[f] + " first");
      }
  return selected;
}

}  // namespace

std::vector<Work> Select(const std::vector<PlannedSpec>& specs, const Selection& selection, bool pack) {
  std::vector<Work> selected =
      selection.trials.empty() ? SelectByName(specs, selection.only) : SelectByIds(specs, selection.trials);
  for (Work& work : selected) work.packed = work.packed || pack;
  return selected;
}

}  // namespace okbench
