#include "harness/results/rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tbb/concurrent_queue.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "harness/results/result_files.h"
#include "harness/results/result_folder.h"
#include "harness/results/verify.h"
#include "harness/system/json_file.h"
#include "harness/trace/segment_index.h"
#include "harness/trace/trace_file.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// A file, or a folder with a plan.
struct Source {
  fs::path path;
  std::optional<PlanFile> plan;
  PlanDifference difference;  // from the present plan
};

// All files and planned folders of a request, in order. Throws SpecError and TraceError.
std::vector<Source> SourcesOf(const RowRequest& request) {
  std::vector<Source> sources;
  for (const std::string& path : request.paths) {
    if (!fs::exists(path) && !IsPacked(path)) throw SpecError(path + ": no such file or folder");
    if (!fs::is_directory(path)) {
      sources.push_back({path, std::nullopt, {}});
      continue;
    }
    for (const fs::path& folder : ResultFoldersBelow(path))
      if (fs::exists(folder / "plan.json")) {
        sources.push_back({folder, PlanFile(), {}});
      } else {
        for (const std::string& name : FolderListing(folder).names())
          if (!IsTrace(name) || HasTrace(folder / name)) sources.push_back({folder / name, std::nullopt, {}});
      }
  }
  Catalogs catalogs;
  tbb::parallel_for(std::size_t{0}, sources.size(), [&](std::size_t i) {
    Source& source = sources[i];
    if (!source.plan) return;
    source.difference = ComparePlans(source.path, catalogs);
    source.plan = ReadPlan(source.path / "plan.json", request.axes);
  });
  return sources;
}

// What tells trials apart: two keys of a spec with equal parameters have one id.
std::string Identity(std::string_view id, std::string_view key) {
  return std::string(id) + "/" + std::string(key);
}

// Identities that several planned trials have.
std::unordered_set<std::string> RepeatedIdentities(const std::vector<Source>& sources) {
  std::vector<std::pair<std::string_view, std::string_view>> trials;
  for (const Source& source : sources)
    if (source.plan)
      for (const PlanEntry& entry : source.plan->trials) trials.emplace_back(entry.id, entry.learner_key);
  std::sort(trials.begin(), trials.end());
  std::unordered_set<std::string> repeated;
  for (std::size_t i = 1; i < trials.size(); ++i)
    if (trials[i] == trials[i - 1]) repeated.insert(Identity(trials[i].first, trials[i].second));
  return repeated;
}

// Makes the rows of one call. Each trial counts once.
class RowMaker {
 public:
  RowMaker(const RowRequest& request, const RowVisitor& visit, const LogFn& log)
      : request_(request), visit_(visit), log_(log) {}

  void Run() {
    std::vector<Source> sources = SourcesOf(request_);
    repeated_ = RepeatedIdentities(sources);
    // A file may be of a planned trial.
    for (const Source& source : sources) every_id_may_repeat_ = every_id_may_repeat_ || !source.plan;
    for (Source& source : sources) {
      if (source.plan) {
        AddPlanned(source.path, *source.plan, source.difference);
      } else {
        has_results_ = true;
        Row row = RowOfFile(source.path, log_, request_.target);
        row.file = source.path.string();
        Add(std::move(row), next_++);
      }
      source.plan.reset();  // frees its memory
    }
    if (!has_results_)
      throw SpecError(
          fmt::format("{}: no results here; okbench run makes some", fmt::join(request_.paths, ", ")));
    std::vector<BestRow> kept;
    for (auto& [id, best_row] : best_rows_) kept.push_back(std::move(best_row));
    std::sort(kept.begin(), kept.end(),
              [](const BestRow& a, const BestRow& b) { return a.position < b.position; });
    for (BestRow& best_row : kept) visit_(std::move(best_row.row), best_row.position);
  }

 private:
  // The best row so far of a trial that occurs several times.
  struct BestRow {
    Row row;
    std::size_t position;  // of the first row
    std::size_t from;      // of this row
  };

  // A trial of a segment that is summarised.
  struct Packed {
    std::uint32_t position;  // in the segment
    std::size_t trial;       // in the plan
    bool stale;              // but accepted
  };
  // A trial with a trace file that is summarised.
  struct Stored {
    fs::path file;
    std::size_t trial;  // in the plan
    bool stale;         // but accepted
  };
  using PackedBySegment = std::map<std::uint32_t, std::vector<Packed>>;

  // A folder with a plan: one row per planned trial, unless no trial has a result.
  void AddPlanned(const fs::path& folder, const PlanFile& plan, const PlanDifference& difference) {
    const FolderListing listing(folder);
    const auto index = SegmentIndex::Of(folder);
    for (const std::string& message : index->damaged()) log_(message);
    std::size_t inside = 0;
    bool any = !index->damaged().empty();
    for (const PlanEntry& entry : plan.trials) {
      inside += listing.HasFile(entry.file) ? 1 : 0;
      any = any || listing.HasFile(entry.file) || listing.HasFailure(entry.file) || index->Find(entry.file);
    }
    ReportForeignFiles(folder, listing.files() - inside);
    if (!any) return;
    has_results_ = true;
    tier_ = plan.header.value("tier", "");
    overrides_.clear();
    for (const json& assignment : plan.header.value("overrides", json::array()))
      overrides_ += (overrides_.empty() ? "" : " ") + assignment.get<std::string>();
    AddTrials(folder, plan, listing, *index, difference.stale);
    next_ += plan.trials.size();
    std::vector<std::string> unplanned;
    for (const PlanEntry& entry : difference.unplanned) {
      if (entry.fold && !request_.folds) continue;
      AddPlannedRow(RowOf(entry, plan.experiment(), "missing"), folder / entry.file, next_++);
      unplanned.push_back(entry.name);
    }
    Report(folder, plan.trials.size() + unplanned.size(), unplanned, "not in the plan; run the spec again");
  }

  void AddTrials(const fs::path& folder, const PlanFile& plan, const FolderListing& listing,
                 const SegmentIndex& index, const std::map<std::string, std::string>& stale) {
    const std::string experiment = plan.experiment();
    std::vector<std::string> missing, stale_names;
    PackedBySegment packed;
    std::vector<Stored> files;
    std::size_t planned = 0;
    for (std::size_t i = 0; i < plan.trials.size(); ++i) {
      const PlanEntry& entry = plan.trials[i];
      if (entry.fold && !request_.folds) continue;
      ++planned;
      const fs::path file = folder / entry.file;
      const auto* place = listing.HasFile(entry.file) ? nullptr : index.Find(entry.file);
      if (listing.HasFailure(entry.file)) {
        Row row = RowOfFile(FailureFile(file), log_, {});
        row.label = RowOf(entry, experiment, row.status).label;  // which the record lacks
        AddPlannedRow(std::move(row), file, next_ + i);
        continue;
      }
      if (place == nullptr && !listing.HasFile(entry.file)) {
        // A damaged segment may have held the result.
        const char* const status = index.damaged().empty() ? "missing" : "corrupt";
        AddPlannedRow(RowOf(entry, experiment, status), file, next_ + i);
        missing.push_back(entry.name);
        continue;
      }
      const auto reason = stale.find(entry.id);
      const bool is_stale = reason != stale.end();
      if (is_stale) stale_names.push_back(entry.name + " (" + reason->second + ")");
      if (is_stale && !request_.stale)
        AddPlannedRow(RowOf(entry, experiment, "stale"), file, next_ + i);
      else if (place != nullptr)
        packed[place->segment].push_back({place->position, i, is_stale});
      else
        files.push_back({file, i, is_stale});
    }
    AddFiles(plan, experiment, files);
    AddSegments(folder, plan, index, packed);
    Report(folder, planned, missing, "without a result");
    Report(folder, planned, stale_names,
           request_.stale ? "stale, accepted" : "stale (rerun them, or accept them with --stale)");
  }

  // Rows of trials with trace files, which are read in parallel and added in order.
  void AddFiles(const PlanFile& plan, const std::string& experiment, const std::vector<Stored>& files) {
    constexpr std::size_t kAtOnce = 1024;  // rows in memory
    for (std::size_t first = 0; first < files.size(); first += kAtOnce) {
      std::vector<Row> rows(std::min(kAtOnce, files.size() - first));
      std::vector<std::vector<std::string>> messages(rows.size());
      tbb::parallel_for(std::size_t{0}, rows.size(), [&](std::size_t k) {
        const auto log = [&](const std::string& line) { messages[k].push_back(line); };
        rows[k] = RowOfFile(files[first + k].file, log, request_.target);
      });
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const Stored& trial = files[first + k];
        for (const std::string& line : messages[k]) log_(line);
        AddTrial(std::move(rows[k]), trial.file, plan.trials[trial.trial], experiment, trial.stale,
                 next_ + trial.trial);
      }
    }
  }

  // The row of a trial with a trace.
  void AddTrial(Row&& row, const fs::path& file, const PlanEntry& entry, const std::string& experiment,
                bool is_stale, std::size_t position) {
    if (row.status == "ok" && row.id != entry.id) {
      log_(file.string() + ": belongs to trial " + *row.id + ", the plan says " + entry.id);
      row = RowOf(entry, experiment, "corrupt");
    }
    if (row.status == "corrupt") row = RowOf(entry, experiment, "corrupt");
    if (row.status == "ok" && is_stale) row.status = "ok (stale)";
    AddPlannedRow(std::move(row), file, position);
  }

  // Adds a row of the folder that is being read.
  void AddPlannedRow(Row&& row, const fs::path& file, std::size_t position) {
    row.tier = tier_;
    row.overrides = overrides_;
    row.file = file.string();
    Add(std::move(row), position);
  }

  // Reads the row of a trial in a segment. Throws json::exception or TraceError if it is invalid.
  Row ReadPacked(const Segment& segment, std::uint32_t position, const std::string& text,
                 const std::string& name, json& scratch) const {
    Row row = ParseRow(text, scratch);
    if (!request_.traces && !request_.target) return row;
    const Trace trace = ParseTrace(segment.Trace(position), name);
    VerifyTrace(trace);
    if (row != RowOf(trace, std::nullopt)) throw TraceError("its summary row does not match its trace");
    return request_.target ? RowOf(trace, request_.target) : row;
  }

  // Rows of trials in one segment.
  struct Batch {
    const std::vector<Packed>* trials = nullptr;
    std::vector<Row> rows;              // "corrupt" where there is a problem
    std::vector<std::string> problems;  // empty if there is none
  };

  void Read(const Segment& segment, const std::vector<Packed>& trials, Batch& batch) const {
    batch.trials = &trials;
    batch.rows.resize(trials.size());
    batch.problems.assign(trials.size(), "");
    const std::vector<std::string> texts = segment.Rows();
    json scratch;
    for (std::size_t k = 0; k < trials.size(); ++k) {
      const std::uint32_t position = trials[k].position;
      const std::string name = segment.path().string() + ": " + segment.files()[position];
      try {
        batch.rows[k] = ReadPacked(segment, position, texts[position], name, scratch);
      } catch (const json::exception&) {
        batch.problems[k] =
            name + ": not the trace of a trial: its spec, summary or provenance is incomplete";
      } catch (const TraceError& error) {
        batch.problems[k] = name + ": " + error.what();
      }
      if (!batch.problems[k].empty()) batch.rows[k].status = "corrupt";
    }
  }

  void AddBatch(const fs::path& folder, const PlanFile& plan, const std::string& experiment, Batch& batch) {
    for (std::size_t k = 0; k < batch.rows.size(); ++k) {
      const Packed& trial = (*batch.trials)[k];
      const PlanEntry& entry = plan.trials[trial.trial];
      if (!batch.problems[k].empty()) log_(batch.problems[k]);
      AddTrial(std::move(batch.rows[k]), folder / entry.file, entry, experiment, trial.stale,
               next_ + trial.trial);
    }
  }

  // Rows of trials in segments. Segments are read in parallel, and their rows visited in order.
  void AddSegments(const fs::path& folder, const PlanFile& plan, const SegmentIndex& index,
                   PackedBySegment& packed) {
    constexpr std::size_t kAtOnce = 4;  // segments in memory, some 16 MB each
    const std::string experiment = plan.experiment();
    // Batches are used again, because new rows would take twice the time.
    std::vector<Batch> batches(kAtOnce);
    tbb::concurrent_queue<Batch*> unused;
    for (Batch& batch : batches) unused.push(&batch);
    auto next = packed.begin();
    const auto take = [&](tbb::flow_control& control) -> PackedBySegment::value_type* {
      if (next != packed.end()) return &*next++;
      control.stop();
      return nullptr;
    };
    const auto read = [&](PackedBySegment::value_type* segment) {
      Batch* batch = nullptr;
      unused.try_pop(batch);  // there are as many as the pipeline holds
      Read(*index.Open(segment->first), segment->second, *batch);
      return batch;
    };
    const auto add = [&](Batch* batch) {
      AddBatch(folder, plan, experiment, *batch);
      unused.push(batch);
    };
    using tbb::filter_mode;
    tbb::parallel_pipeline(kAtOnce, tbb::filter(filter_mode::serial_in_order, take) &
                                        tbb::filter(filter_mode::parallel, read) &
                                        tbb::filter(filter_mode::serial_in_order, add));
  }

  // Passes a row on, unless another row of the same trial may follow. A row with numbers replaces one
  // without.
  void Add(Row&& row, std::size_t position) {
    if (!row.id) return visit_(std::move(row), position);
    const std::string id = Identity(*row.id, row.key.value_or(""));
    if (!every_id_may_repeat_ && !repeated_.contains(id)) return visit_(std::move(row), position);
    const auto best = best_rows_.find(id);
    if (best == best_rows_.end()) {
      best_rows_.emplace(id, BestRow{std::move(row), position, position});
      return;
    }
    const bool has = row.HasNumbers(), had = best->second.row.HasNumbers();
    if (has > had || (has == had && position < best->second.from)) {
      best->second.row = std::move(row);
      best->second.from = position;
    }
    best->second.position = std::min(best->second.position, position);
  }

  // Logs the number of traces in a folder that its plan does not name.
  void ReportForeignFiles(const fs::path& folder, std::size_t count) const {
    if (count > 0)
      log_(folder.string() + ": " + std::to_string(count) + (count == 1 ? " result is" : " results are") +
           " of earlier settings, data or revisions; ignored");
  }

  // Logs how many trials of a folder have a problem, with the names of the first three.
  void Report(const fs::path& folder, std::size_t planned, const std::vector<std::string>& names,
              const std::string& problem) const {
    if (names.empty()) return;
    std::string text = folder.string() + ": " + std::to_string(names.size()) + " of " +
                       std::to_string(planned) + " planned trials " + problem + ": ";
    for (std::size_t i = 0; i < std::min<std::size_t>(3, names.size()); ++i)
      text += (i > 0 ? ", " : "") + names[i];
    log_(text + (names.size() > 3 ? ", ..." : ""));
  }

  const RowRequest& request_;
  const RowVisitor& visit_;
  const LogFn& log_;
  bool has_results_ = false;
  std::string tier_, overrides_;  // of the plan that is being read
  std::size_t next_ = 0;          // position of the next source
  std::unordered_set<std::string> repeated_;
  bool every_id_may_repeat_ = false;
  std::unordered_map<std::string, BestRow> best_rows_;
};

}  // namespace

void ForEachRow(const RowRequest& request, const RowVisitor& visit, const LogFn& log) {
  RowMaker(request, visit, log).Run();
}

}  // namespace okbench
