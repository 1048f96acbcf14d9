#include "harness/run/runner.h"

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <new>
#include <nlohmann/json.hpp>
#include <set>

#include "base/atomic_file.h"
#include "base/error.h"
#include "harness/cost/estimate.h"
#include "harness/results/plan_file.h"
#include "harness/results/result_files.h"
#include "harness/results/result_folder.h"
#include "harness/results/result_writer.h"
#include "harness/run/interruption.h"
#include "harness/run/progress.h"
#include "harness/run/tuning.h"
#include "harness/run/work_queue.h"
#include "harness/system/cores.h"
#include "harness/system/standard_streams.h"
#include "harness/trace/segment_index.h"
#include "harness/trial/trial.h"

namespace okbench {
namespace {

constexpr int kInterruptedStatus = 130;

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
  // Learners without support vectors have features, or no cost at all.
  if (const auto vectors = s["support_vectors"].get<std::uint64_t>(); vectors > 0)
    line += fmt::format(", {} support vectors", vectors);
  const auto evaluations = [&line](const nlohmann::json& count, const char* kind) {
    if (const auto number = count.get<std::uint64_t>(); number > 0)
      line += fmt::format(", {:.3g} {} evaluations", static_cast<double>(number), kind);
  };
  evaluations(s["kernel_evaluations"]["requested"], "kernel");
  if (s.contains("feature_evaluations")) evaluations(s["feature_evaluations"], "feature");
  line += fmt::format(", {:.2f} s", trace.provenance["wall_seconds"].get<double>());
  return line + trial.DataMark();
}

// Whether a kernel learner of the program ended with f = 0.
bool NeverLearned(const Trial& trial, const Trace& trace) {
  return !trial.info->linear && trial.info->code.kind.empty() && trial.cost.vectors > 0 &&
         !trace.summary.contains("feature_evaluations") && trial.data->outputs.table == nullptr &&
         trace.summary["support_vectors"].get<std::uint64_t>() == 0;
}

// Trials of a learner take about the same multiple of their expected seconds.
std::string GroupOf(const Trial& trial) { return trial.info->name + "/" + trial.learner_key; }

class Runner {
 public:
  Runner(const RunOptions& options, const Catalog& catalog, const DataFolders& folders,
         const std::atomic<bool>& interrupted)
      : options_(options), interrupted_(interrupted), data_(catalog, folders) {}

  // The folders, with the digests of all planned data files.
  static DataFolders WithPlanned(DataFolders folders, const std::vector<PlannedSpec>& specs) {
    std::set<const DataPlan*> seen;  // the trials of a data set share one
    for (const PlannedSpec& spec : specs)
      for (const Trial& trial : spec.trials)
        for (const DataPlan* plan : {&*trial.train_plan, &*trial.test_plan})
          if (seen.insert(plan).second) folders.planned.insert(plan->files.begin(), plan->files.end());
    return folders;
  }

  int Run(const std::vector<Work>& selected) {
    const std::vector<Work> todo = ToDo(selected);
    const int jobs = CoresToUse(options_.jobs);
    const std::size_t had = selected.size() - todo.size();
    if (!options_.quiet)
      PrintToError("{} trials: {} already have results, {} to run, {} in parallel\n", selected.size(), had,
                   todo.size(), jobs);
    trials_ = todo.size();
    RunAll(todo, jobs);
    if (interrupted_) {
      PrintToError("interrupted: {} of {} trials have results; rerun the same command to continue\n",
                   had + finished_, selected.size());
      return kInterruptedStatus;
    }
    if (gone_) {
      PrintToError("okbench: the result folder was removed during the run; stopped\n");
      return 1;
    }
    if (failed_ > 0) {
      PrintToError("{} of {} trials failed; their records end in .failed.json{}\n", failed_.load(),
                   selected.size(),
                   unrecorded_ > 0 ? fmt::format(", but {} could not be written", unrecorded_.load()) : "");
      return 1;
    }
    return 0;
  }

 private:
  // The trials without a valid result, the longest first, so that no long trial starts at the end of the run.
  std::vector<Work> ToDo(const std::vector<Work>& selected) {
    std::vector<Work> todo;
    ProgressLine checks({}, Verbosity::kQuiet);
    const auto log = [&](const std::string& cause) { checks.Print(cause + "; the trial runs again"); };
    std::map<const std::filesystem::path*, Stored> folders;
    for (const Work& work : selected) {
      const auto [stored, is_new] = folders.try_emplace(work.folder, *work.folder);
      if (is_new)
        for (const std::string& cause : stored->second.index->damaged()) checks.Print(cause);
      if (!options_.force && IsDone(work, stored->second, log)) continue;
      todo.push_back(work);
      const Trial& trial = *work.trial;
      todo.back().cost = Estimate(trial, trial.workload, Rates::Nominal(trial)).seconds;
      data_.Expect(trial);
    }
    std::stable_sort(todo.begin(), todo.end(), [](const Work& a, const Work& b) { return a.cost > b.cost; });
    return todo;
  }

  // What a folder has before the run.
  struct Stored {
    explicit Stored(const std::filesystem::path& folder) : listing(folder), index(SegmentIndex::Of(folder)) {}
    FolderListing listing;
    std::shared_ptr<const SegmentIndex> index;
  };

  static bool IsDone(const Work& work, const Stored& stored, const LogFn& log) {
    const std::string name = work.trial->FileName();
    if (stored.listing.HasFailure(name)) return HasDiverged(work.file(), *work.trial);
    return stored.listing.HasFile(name) ? HasResult(work.file(), *work.trial, log)
                                        : stored.index->Find(name) != nullptr;
  }

  // Shows one line per trial for at most 40 trials, unless --verbose asks for it.
  Verbosity VerbosityFor(std::size_t trials) {
    constexpr std::size_t kMaxLines = 40;
    verbosity_ = options_.quiet                            ? Verbosity::kQuiet
                 : options_.verbose || trials <= kMaxLines ? Verbosity::kTrials
                                                           : Verbosity::kSummary;
    return verbosity_;
  }

  // Runs `jobs` workers. Each takes the next trial from the queue; a trial waits until its search trials are
  // done.
  void RunAll(const std::vector<Work>& todo, int jobs) {
    ProgressPlan plan{.trials = todo.size(), .jobs = jobs};
    for (const Work& work : todo) plan.left.Add(GroupOf(*work.trial), work.cost, work.trial->examples);
    ProgressLine progress(plan, VerbosityFor(todo.size()));
    // Allow more workers than cores if the user requests them.
    const tbb::global_control workers(tbb::global_control::max_allowed_parallelism,
                                      static_cast<std::size_t>(jobs));
    tbb::task_arena arena(jobs);
    WorkQueue queue(todo, interrupted_);
    arena.execute([&] {
      tbb::parallel_for(
          0, jobs,
          [&](int) {
            try {
              while (const Work* work = queue.Next([this] { writer_.Flush(); })) One(*work, progress, queue);
            } catch (...) {  // do not let other workers wait for this trial
              queue.Stop();
              throw;
            }
          },
          tbb::simple_partitioner());
    });
    try {
      writer_.Finish();
    } catch (const std::exception& error) {
      progress.Print(std::string("small segments were not joined: ") + error.what());
    }
  }

  void One(const Work& work, ProgressLine& progress, WorkQueue& queue) {
    const Trial& trial = *work.trial;
    // The results of short trials do not wait for a long one.
    if (work.packed && work.cost > 1) writer_.Flush();
    const auto running =
        progress.Start(trial.Name(), trial.data->train.name, GroupOf(trial), trial.examples, work.cost);
    const std::filesystem::path file = work.file();
    const FileStamp before = StampOf(file);
    std::string line;
    std::optional<Trace> packed;
    try {
      const StopToken stop{.interrupted = &interrupted_,
                           .timeout_seconds = options_.timeout_seconds,
                           .steps = &running->steps,
                           .loaded_at = &running->loaded_at};
      Trace trace =
          trial.candidates->empty() ? RunTrial(trial, data_, stop, options_.lookahead) : RunTuned(work, stop);
      line = ResultLine(trial, trace);
      if (NeverLearned(trial, trace))
        progress.Print(trial.Name() + ": warning: no support vectors: no example caused an update");
      if (work.packed) {
        packed = std::move(trace);
      } else {
        Write(file, trace);
        ++finished_;
      }
    } catch (const Interrupted&) {
      line = trial.Name() + ": interrupted, will run again";
    } catch (const TrialFailure& failure) {
      line = Fail(work, failure, before, progress);
    } catch (const std::bad_alloc&) {
      line = Fail(work, NoMemory(), before, progress);
    } catch (const std::exception& error) {
      line = Fail(work, TrialFailure("internal", error.what()), before, progress);
    }
    data_.Done(trial);
    progress.Finish(running);
    if (!packed) return Report(work, line, progress, queue);
    Pack(work, *packed, before, line, progress, queue);
  }

  // Stores a result in a segment. Reports it when it is on disk.
  void Pack(const Work& work, const Trace& trace, const FileStamp& before, const std::string& line,
            ProgressLine& progress, WorkQueue& queue) {
    const auto stored = [this, &work, before, line, &progress, &queue](const std::string& error) {
      const std::string cause =
          error.empty() ? line : Fail(work, TrialFailure("write", error), before, progress);
      if (error.empty()) ++finished_;
      Report(work, cause, progress, queue);
    };
    try {
      writer_.Pack(work.file(), trace, stored);
    } catch (const std::exception& error) {
      stored(error.what());
    }
  }

  void Report(const Work& work, const std::string& line, ProgressLine& progress, WorkQueue& queue) {
    progress.Report(line);
    ReportProgress(line);
    queue.Done(work);
    if (gone_) queue.Stop();
  }

  void ReportProgress(const std::string& line) {
    if (!options_.progress) return;
    const std::lock_guard lock(telling_);
    options_.progress(++over_, trials_, line);
  }

  // Runs a tuned trial with the chosen parameters. Adds the choice to the summary.
  Trace RunTuned(const Work& work, const StopToken& stop) {
    Trial trial = *work.trial;
    const Choice choice = trial.info->protocol == Protocol::kStream
                              ? ChooseOnPrefix(trial, data_, stop, options_.lookahead)
                              : ChooseByFolds(trial, work.folder->string());
    trial.parameters = (*trial.candidates)[choice.candidate].parameters;
    trial.kernel = (*trial.candidates)[choice.candidate].kernel;
    StopToken rest = stop;
    rest.search_seconds = choice.seconds;
    Trace trace = RunTrial(trial, data_, rest, options_.lookahead);
    trace.summary["tuned"] = choice.tuned;
    if (choice.seconds > 0) trace.provenance["search_seconds"] = choice.seconds;
    return trace;
  }

  static void Write(const std::filesystem::path& file, const Trace& trace) {
    try {
      WriteResult(file, trace);
    } catch (const TraceError& error) {
      throw TrialFailure("write", error.what());
    }
  }

  static TrialFailure NoMemory() { return {"memory", "not enough memory for this trial"}; }

  // Records a failure. Returns the line to show. A candidate of a search that diverges is no failure of the
  // run.
  std::string Fail(const Work& work, const TrialFailure& failure, const FileStamp& before,
                   ProgressLine& progress) {
    const bool loses = work.trial->fold() && failure.kind() == "diverged";
    if (!loses) ++failed_;
    std::string line = work.trial->Name() +
                       (loses ? ": excluded from the search: " : ": FAILED (" + failure.kind() + "): ") +
                       failure.what();
    if (verbosity_ != Verbosity::kTrials) progress.Print(line);
    try {
      if (!RecordFailure(work.file(), *work.trial, failure, before))
        progress.Print(work.trial->Name() + ": a valid result is there and is kept");
    } catch (const std::exception& error) {
      progress.Print(std::string("cannot record the failure: ") + error.what());
      ++unrecorded_;
      // The folder is created before the first trial. Without it, no result can be stored.
      std::error_code unknown;
      if (!std::filesystem::exists(*work.folder, unknown) && !unknown) gone_ = true;
    }
    return line;
  }

  const RunOptions& options_;
  const std::atomic<bool>& interrupted_;
  DataCache data_;
  ResultWriter writer_;
  Verbosity verbosity_ = Verbosity::kQuiet;
  std::atomic<std::size_t> finished_{0};
  std::atomic<std::size_t> failed_{0}, unrecorded_{0};
  std::atomic<bool> gone_{false};  // the result folder was removed
  std::mutex telling_;
  std::size_t over_ = 0, trials_ = 0;
};

}  // namespace

int Run(const std::vector<PlannedSpec>& specs, const Selection& selection, const RunOptions& options,
        const Catalog& catalog, const DataFolders& folders) {
  const std::vector<Work> selected = Select(specs, selection, options.pack);
  for (const PlannedSpec& spec : specs) {
    // Trials selected by id belong to an existing plan, which may have been made with other data. Keep it.
    if (selection.trials.empty() || !IsPlanned(spec, selection.trials)) WritePlan(spec);
    if (std::filesystem::exists(spec.folder)) RemoveLeftovers(spec.folder);
    const FolderListing listing(spec.folder);
    std::size_t inside = 0;
    for (const Trial& trial : spec.trials) inside += listing.HasFile(trial.FileName()) ? 1 : 0;
    if (const std::size_t count = listing.files() - inside; count > 0 && !options.quiet)
      fmt::print(stderr, "{}: {} of earlier settings, data or revisions; kept, and ignored\n",
                 spec.folder.string(), count == 1 ? "1 result is" : std::to_string(count) + " results are");
  }
  return Runner(options, catalog, Runner::WithPlanned(folders, specs), WatchSignals()).Run(selected);
}

}  // namespace okbench
