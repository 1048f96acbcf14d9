#include "harness/run/runner.h"

#include <fmt/format.h>
#include <fnmatch.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <list>
#include <mutex>
#include <numeric>
#include <set>

#include "harness/cost/estimate.h"
#include "harness/run/progress.h"
#include "harness/run/tuning.h"
#include "harness/store/planned_spec.h"
#include "harness/store/trace_file.h"
#include "harness/system/cores.h"
#include "harness/system/error.h"
#include "harness/system/provenance.h"
#include "harness/trial/trial.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;

constexpr int kInterruptedStatus = 130;

std::atomic<bool> interrupted{false};
// The first signal asks running trials to stop; a second one ends the program at once.
extern "C" void OnSignal(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);
}

// A killed run leaves its temporary file; those of a living process, and of other machines, are left alone.
void RemoveLeftovers(const fs::path& folder) {
  const std::string sign = TemporaryMark();
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const std::size_t mark = name.rfind(sign);
    if (mark == std::string::npos) continue;
    pid_t process = 0;
    const char* end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + mark + sign.size(), end, process);
    if (error != std::errc() || stop != end || process <= 0) continue;
    if (kill(process, 0) != 0 && errno == ESRCH) fs::remove(entry.path());
  }
}

void RecordFailure(const fs::path& trace, const Trial& trial, const TrialFailure& failure) {
  nlohmann::json parameters = nlohmann::json::object();
  for (const auto& [name, value] : trial.parameters.all()) parameters[name] = ToJson(value);
  const nlohmann::json record = {{"format", 1},
                                 {"trial_id", trial.id},
                                 {"name", trial.Name()},
                                 {"experiment", trial.experiment},
                                 {"learner", trial.info->name},
                                 {"parameters", parameters},
                                 {"repetition", trial.repetition},
                                 {"data_set", trial.data.train.name},
                                 {"stand_in", trial.stand_in},
                                 {"kind", failure.kind()},
                                 {"message", failure.what()},
                                 {"time", UtcNow()}};
  WriteJson(FailureFile(trace), record);
}

std::string ResultLine(const Trial& trial, const Trace& trace) {
  const auto& s = trace.summary;
  std::string line = trial.Name() + ": ";
  if (s.contains("rmse")) {
    line += fmt::format("root mean squared error {:.4g}", s["rmse"].get<double>());
    if (!s["test_rmse"].is_null()) line += fmt::format(", test {:.4g}", s["test_rmse"].get<double>());
  } else {
    line += fmt::format("error {:.2f} %", 100 * s["error_rate"].get<double>());
    if (!s["test_error"].is_null())
      line += fmt::format(", test error {:.2f} %", 100 * s["test_error"].get<double>());
  }
  line += fmt::format(", {} support vectors, {:.3g} kernel evaluations, {:.2f} s",
                      s["support_vectors"].get<std::uint64_t>(),
                      static_cast<double>(s["kernel_evaluations"]["requested"].get<std::uint64_t>()),
                      trace.provenance["wall_seconds"].get<double>());
  return line + (trial.stand_in ? " [STAND-IN DATA]" : "");
}

// A trial with its file.
struct Work {
  const Trial* trial;
  fs::path file;
  double cost = 0;  // seconds to expect, once it is known that it has to run
};

// The trials that --only names, with those they need.
std::vector<Work> Select(const std::vector<PlannedSpec>& specs, const std::string& only) {
  std::vector<Work> selected;
  for (const PlannedSpec& spec : specs) {
    std::set<std::string> wanted;
    for (const Trial& trial : spec.trials) {
      if (!only.empty() && fnmatch(only.c_str(), trial.Name().c_str(), 0) != 0 && only != trial.Name() &&
          only != trial.id)
        continue;
      wanted.insert(trial.id);
      for (const std::string& id : trial.Needs()) wanted.insert(id);
    }
    for (const Trial& trial : spec.trials)
      if (wanted.contains(trial.id))
        selected.push_back({.trial = &trial, .file = spec.folder / trial.FileName()});
  }
  if (selected.empty())
    throw SpecError("--only '" + only + "' matches no trial; see --dry-run for their names");
  return selected;
}

// The trials with these ids, and no others.
std::vector<Work> SelectIds(const std::vector<PlannedSpec>& specs, const std::vector<std::string>& ids) {
  std::set<std::string> wanted(ids.begin(), ids.end());
  std::vector<Work> selected;
  for (const PlannedSpec& spec : specs)
    for (const Trial& trial : spec.trials)
      if (wanted.contains(trial.id))
        selected.push_back({.trial = &trial, .file = spec.folder / trial.FileName()});
  for (const Work& work : selected) wanted.erase(work.trial->id);
  if (!wanted.empty())
    throw SpecError("--trial " + *wanted.begin() +
                    ": no trial of these specs in this tier has this id; see "
                    "okbench plan. Ids depend on the data: is it the same here?");
  // What they need has to be there, or among them.
  std::set<std::string> here;
  for (const Work& work : selected) here.insert(work.file.string());
  for (const Work& work : selected)
    for (const Candidate& candidate : work.trial->candidates)
      for (std::size_t f = 0; f < candidate.files.size(); ++f) {
        const fs::path fold = work.file.parent_path() / candidate.files[f];
        // A fold that failed is a result of its own: the trial then fails for that reason.
        if (!here.contains(fold.string()) && !fs::exists(fold) && !fs::exists(FailureFile(fold)))
          throw SpecError("--trial " + work.trial->id + " (" + work.trial->Name() +
                          ") needs the result of trial " + candidate.ids[f] + " first");
      }
  return selected;
}

int DryRun(const std::vector<Work>& selected) {
  std::uint64_t total = 0;
  for (const Work& work : selected) {
    fmt::print("{}  {}  {} {} kernel evaluations{}{}\n", work.trial->id, work.trial->Name(),
               work.trial->info->protocol == Protocol::kStream ? "at most" : "about",
               work.trial->cost.requested, HasResult(work.file, *work.trial) ? "  (has a result)" : "",
               work.trial->stand_in ? "  [STAND-IN DATA]" : "");
    total += work.trial->cost.requested;
  }
  fmt::print("{} trials, about {:.3g} kernel evaluations\n", selected.size(), static_cast<double>(total));
  return 0;
}

// Which trial runs next. Thread-safe.
class WorkQueue {
 public:
  /// In the order of `todo`, as far as what they need allows; needed trials that are not in it are over
  /// already.
  explicit WorkQueue(const std::vector<Work>& todo) {
    for (const Work& work : todo) {
      waiting_.push_back(&work);
      unfinished_.insert(work.file.string());
    }
  }

  /// The next trial whose needs are over, waiting for one; null when there is none left or the run is
  /// interrupted.
  const Work* Next() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (interrupted || waiting_.empty()) return nullptr;
      for (auto at = waiting_.begin(); at != waiting_.end(); ++at) {
        if (Waits(**at)) continue;
        const Work* work = *at;
        waiting_.erase(at);
        return work;
      }
      changed_.wait(lock);
    }
  }

  void Done(const Work& work) {
    const std::lock_guard lock(mutex_);
    unfinished_.erase(work.file.string());
    changed_.notify_all();
  }

 private:
  bool Waits(const Work& work) const {
    for (const Candidate& candidate : work.trial->candidates)
      for (const std::string& file : candidate.files)
        if (unfinished_.contains((work.file.parent_path() / file).string())) return true;
    return false;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<const Work*> waiting_;
  std::set<std::string> unfinished_;  // files: two entries may share a trial, but not its file
};

class Runner {
 public:
  Runner(const RunOptions& options, const Catalog& catalog, const DataFolders& folders)
      : options_(options), data_(catalog, folders) {}

  int Run(const std::vector<Work>& selected) {
    std::vector<Work> todo;
    double total_cost = 0;
    {
      Progress checks(selected.size(), 1, true);
      for (const Work& work : selected) {
        const auto say = [&](const std::string& cause) { checks.Say(cause + "; the trial runs again"); };
        if (!options_.fresh && HasResult(work.file, *work.trial, say)) continue;
        todo.push_back(work);
        const Trial& trial = *work.trial;
        todo.back().cost = Estimate(trial, trial.workload, Rates::Nominal(trial)).seconds;
        total_cost += todo.back().cost;
        data_.Expect(trial);
      }
    }
    const int jobs = CoresToUse(options_.jobs);
    const std::size_t had = selected.size() - todo.size();
    // The longest first, so that no long trial starts when the others are over.
    std::stable_sort(todo.begin(), todo.end(), [](const Work& a, const Work& b) { return a.cost > b.cost; });
    if (!options_.quiet)
      fmt::print(stderr, "{} trials: {} have a result already, {} to run, {} side by side\n", selected.size(),
                 had, todo.size(), jobs);
    {
      Progress progress(todo.size(), total_cost, options_.quiet);
      tbb::task_arena arena(jobs);
      // One task a trial, taken from the front of the list whichever thread is free; trials that need others
      // wait until those are over.
      WorkQueue queue(todo);
      arena.execute([&] {
        tbb::parallel_for(
            0, jobs,
            [&](int) {
              while (const Work* work = queue.Next()) {
                One(*work, progress);
                queue.Done(*work);
              }
            },
            tbb::simple_partitioner());
      });
    }
    if (interrupted) {
      fmt::print(stderr, "interrupted: {} of {} trials have a result; run the same command again to go on\n",
                 had + finished_, selected.size());
      return kInterruptedStatus;
    }
    if (failed_ > 0) {
      fmt::print(stderr, "{} of {} trials failed; their records end in .failed.json\n", failed_.load(),
                 selected.size());
      return 1;
    }
    return 0;
  }

 private:
  void One(const Work& work, Progress& progress) {
    const Trial& trial = *work.trial;
    const auto running = progress.Start(trial.Name(), trial.examples, work.cost);
    std::string line;
    try {
      const StopToken stop{
          .interrupted = &interrupted, .timeout_seconds = options_.timeout_seconds, .steps = &running->steps};
      const Trace trace =
          trial.candidates.empty() ? RunTrial(trial, data_, stop, options_.tile) : RunTuned(work, stop);
      Write(work, trace);
      line = ResultLine(trial, trace);
      ++finished_;
    } catch (const Interrupted&) {
      line = trial.Name() + ": stopped, will run again";
    } catch (const TrialFailure& failure) {
      line = trial.Name() + ": FAILED (" + failure.kind() + "): " + failure.what();
      if (options_.quiet) progress.Say(line);
      Fail(work, failure, progress);
    } catch (const std::exception& error) {
      const TrialFailure failure("internal", error.what());
      line = trial.Name() + ": FAILED (internal): " + error.what();
      if (options_.quiet) progress.Say(line);
      Fail(work, failure, progress);
    }
    data_.Done(trial);
    progress.Finish(running, line);
  }

  // With the parameters that its cross validation chooses, and the choice in the summary.
  Trace RunTuned(const Work& work, const StopToken& stop) {
    const Choice choice = Choose(*work.trial, work.file.parent_path().string());
    Trial trial = *work.trial;
    trial.parameters = trial.candidates[choice.candidate].parameters;
    Trace trace = RunTrial(trial, data_, stop, options_.tile);
    trace.summary["tuned"] = choice.tuned;
    return trace;
  }

  static void Write(const Work& work, const Trace& trace) {
    try {
      WriteTrace(work.file.string(), trace);
    } catch (const TraceError& error) {
      throw TrialFailure("write", error.what());
    }
    std::error_code ignored;
    fs::remove(FailureFile(work.file), ignored);
  }

  void Fail(const Work& work, const TrialFailure& failure, Progress& progress) {
    ++failed_;
    try {
      RecordFailure(work.file, *work.trial, failure);
    } catch (const std::exception& error) {
      progress.Say(std::string("the failure could not be recorded: ") + error.what());
    }
  }

  const RunOptions& options_;
  DataCache data_;
  std::atomic<std::size_t> finished_{0};
  std::atomic<std::size_t> failed_{0};
};

}  // namespace

int Run(const RunOptions& options, const Catalog& catalog, const DataFolders& folders) {
  const std::vector<PlannedSpec> specs =
      PlanSpecs(options.specs, options.tier, options.overrides, options.out, catalog, folders);
  const std::vector<Work> selected =
      options.trials.empty() ? Select(specs, options.only) : SelectIds(specs, options.trials);
  if (options.dry_run) return DryRun(selected);
  for (const PlannedSpec& spec : specs) {
    // Named trials are a part of someone's plan: whoever planned the whole may have seen other data.
    if (options.trials.empty() || !IsPlanned(spec, options.trials)) WritePlan(spec);
    if (fs::exists(spec.folder)) RemoveLeftovers(spec.folder);
  }
  interrupted = false;
  std::signal(SIGINT, OnSignal);
  std::signal(SIGTERM, OnSignal);
  return Runner(options, catalog, folders).Run(selected);
}

}  // namespace okbench
