#include "harness/results/plan_file.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <utility>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/inner_file.h"
#include "base/whole_file.h"
#include "harness/plan/canonical.h"
#include "harness/system/json_file.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kPlanFormat = 2;

std::string TextOf(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

json BatchOf(const Trial& trial) { return trial.batch > 0 ? json(trial.batch) : json(); }

// Properties by which a claim selects a trial of a learner: [data=usps,batch=50,lambda=0.1].
std::string AxesText(const Trial& trial, std::uint64_t repetition) {
  json axes = FixedParameters(trial);
  axes["data"] = trial.data->train.name;
  axes["batch"] = BatchOf(trial);
  if (trial.data->stream.delay) axes["delay"] = *trial.data->stream.delay;
  if (!trial.kernel_point.is_null())
    for (const auto& [key, value] : trial.kernel_point.items()) axes[kKernelAxis + key] = value;
  axes["repetition"] = repetition;
  return TextOf(axes);
}

// Names of the parameters that cross-validation chooses.
json TunedOf(const Trial& trial) {
  json names = json::array();
  if (!trial.candidates->empty())
    for (const auto& [name, value] : trial.candidates->front().values.items()) names.push_back(name);
  return names;
}

// Makes the lines of the trials. Repetitions follow each other and differ in few values, so the others are
// converted to JSON once.
class LineMaker {
 public:
  std::string Line(const Trial& trial) {
    if (last_ == nullptr || !SameSetting(trial, *last_)) {
      axes_ = TextTemplate(AxesText(trial, 0), AxesText(trial, 1));
      cost_ = fmt::format(R"("batch":{},"data":{},"expected_evaluations":{})", TextOf(BatchOf(trial)),
                          TextOf(trial.data->train.name), trial.cost.requested);
      grid_point_ = TextOf(trial.grid_point);
      labels_ = fmt::format(R"("label":{},"learner_key":{})", TextOf(trial.label), TextOf(trial.learner_key));
      flags_ = fmt::format(R"("synthetic":{},"tuned":{})", trial.synthetic, TextOf(TunedOf(trial)));
    }
    last_ = &trial;
    // Sorted keys, which ParseJsonInto reads faster.
    return fmt::format(R"({{"axes":{},{},"file":{},"fold":{},"grid_point":{},"id":"{}",{},)"
                       R"("name":{},"needs":{},"repetition":{},{}}})",
                       axes_->With(trial.repetition), cost_, TextOf(trial.FileName()),
                       trial.fold() ? std::to_string(trial.data->train.fold->fold) : "null", grid_point_,
                       trial.id, labels_, TextOf(trial.Name()), TextOf(trial.Needs()), trial.repetition,
                       flags_);
  }

 private:
  const Trial* last_ = nullptr;
  std::optional<TextTemplate> axes_;
  std::string cost_, grid_point_, labels_, flags_;
};

// Converts trials of a plan.
class EntryReader {
 public:
  EntryReader(const fs::path& plan, bool content) : plan_(plan), content_(content) {
    std::error_code unreadable;
    for (const auto& entry : fs::directory_iterator(Folder(), unreadable))
      if (entry.is_symlink()) links_.insert(entry.path().filename().string());
  }

  /// Throws TraceError if the name of the trace file leads out of the folder.
  PlanEntry Read(const json& trial) const;

 private:
  fs::path Folder() const { return plan_.has_parent_path() ? plan_.parent_path() : "."; }

  fs::path plan_;
  bool content_;
  std::set<std::string> links_;  // names of symbolic links in the folder
};

PlanEntry EntryReader::Read(const json& trial) const {
  PlanEntry entry{.id = trial.at("id"),
                  .name = trial.at("name"),
                  .file = trial.at("file"),
                  .learner_key = trial.at("learner_key"),
                  .grid_point = trial.at("grid_point"),
                  .data = trial.at("axes").value("data", ""),
                  .batch = trial.at("axes").value("batch", json()),
                  .repetition = trial.at("repetition"),
                  .fold = std::nullopt,
                  .synthetic = std::nullopt,
                  .content = content_ ? trial : json()};
  if (const json& fold = trial.at("fold"); !fold.is_null()) entry.fold = fold.get<std::uint64_t>();
  if (trial.contains("synthetic")) entry.synthetic = trial.at("synthetic").get<bool>();
  // Resolving every name of a large plan would take a minute.
  if (!IsInnerName(entry.file) || entry.file.find('/') != std::string::npos || links_.contains(entry.file))
    InnerFile(Folder(), entry.file, plan_.string());
  return entry;
}

// Passes the text of the plan to `visit` in pieces. Stops and returns false if `visit` returns false.
bool VisitText(const PlannedSpec& spec, const std::function<bool(std::string_view)>& visit) {
  json header = {{"format", kPlanFormat},    {"experiment", spec.spec.experiment},
                 {"title", spec.spec.title}, {"tier", spec.spec.tier},
                 {"spec", spec.spec.path},   {"overrides", spec.spec.overrides}};
  if (!spec.replaced.empty()) header["replaced_data"] = spec.replaced;
  if (spec.replace) header["replace"] = true;
  if (spec.no_synthetic) header["no_synthetic"] = true;
  std::string text = TextOf(header);
  text.pop_back();
  if (!visit(text + ",\"trials\":[\n")) return false;
  constexpr std::size_t kBlock = 4096, kBlocksAtOnce = 16;
  std::vector<std::string> blocks;
  for (std::size_t first = 0; first < spec.trials.size(); first += kBlock * kBlocksAtOnce) {
    const std::size_t count = std::min(kBlock * kBlocksAtOnce, spec.trials.size() - first);
    blocks.assign((count + kBlock - 1) / kBlock, "");
    tbb::parallel_for(std::size_t{0}, blocks.size(), [&](std::size_t b) {
      LineMaker lines;
      for (std::size_t i = b * kBlock; i < std::min(count, (b + 1) * kBlock); ++i)
        blocks[b] += (first + i > 0 ? ",\n" : "") + lines.Line(spec.trials[first + i]);
    });
    for (const std::string& block : blocks)
      if (!visit(block)) return false;
  }
  return visit(spec.trials.empty() ? "]}\n" : "\n]}\n");
}

}  // namespace

PlanEntry EntryOf(const Trial& trial) {
  PlanEntry entry{.id = trial.id,
                  .name = trial.Name(),
                  .file = trial.FileName(),
                  .learner_key = trial.learner_key,
                  .grid_point = trial.grid_point,
                  .data = trial.data->train.name,
                  .batch = BatchOf(trial),
                  .repetition = trial.repetition,
                  .fold = std::nullopt,
                  .synthetic = trial.synthetic,
                  .content = {}};
  if (trial.fold()) entry.fold = trial.data->train.fold->fold;
  return entry;
}

std::string PlanText(const PlannedSpec& spec) {
  constexpr std::size_t kLine = 800;  // characters of a long line
  std::string text;
  text.reserve(kLine * (spec.trials.size() + 1));  // growing would need twice the memory
  VisitText(spec, [&](std::string_view piece) {
    text += piece;
    return true;
  });
  return text;
}

bool IsCurrentPlan(const PlannedSpec& spec) {
  std::ifstream file(spec.folder / "plan.json", std::ios::binary);
  std::string buffer;
  const auto equals = [&](std::string_view piece) {
    buffer.resize(piece.size());
    return file.read(buffer.data(), static_cast<std::streamsize>(piece.size())) && buffer == piece;
  };
  return VisitText(spec, equals) && file.peek() == std::ifstream::traits_type::eof();
}

void WritePlan(const PlannedSpec& spec) {
  try {
    MakeFolders(spec.folder);
  } catch (const TraceError& error) {
    throw SpecError("cannot create the result folder " + std::string(error.what()));
  }
  // Reading a large plan is much faster than flushing it to disk.
  if (IsCurrentPlan(spec)) return;
  const std::string text = PlanText(spec);
  WriteFileAtomically((spec.folder / "plan.json").string(), text.data(), text.size());
}

bool IsPlanned(const PlannedSpec& spec, const std::vector<std::string>& ids) try {
  std::set<std::string> missing(ids.begin(), ids.end());
  VisitPlan(spec.folder / "plan.json", [&](PlanEntry&& entry) { missing.erase(entry.id); });
  return std::none_of(spec.trials.begin(), spec.trials.end(),
                      [&](const Trial& trial) { return missing.contains(trial.id); });
} catch (const TraceError&) {
  return false;
}

namespace {

constexpr std::string_view kTrialsFollow = ",\"trials\":[";  // end of the first line made by PlanText
constexpr std::size_t kLinesAtOnce = 65536;

// Receives the trials of a plan.
struct Visitor {
  const std::function<void(PlanEntry&&)>& visit;
  bool content;  // PlanEntry::content is set
};

[[noreturn]] void FailPlan(const fs::path& path) {
  throw TraceError(path.string() + ": not a valid plan; okbench run rewrites it");
}

// Opens a plan of the layout of PlanText and reads its header. Nothing for another layout.
std::optional<json> OpenLines(const fs::path& path, std::ifstream& file) {
  constexpr std::string_view kEnd = "\n]}\n";
  file.open(path, std::ios::binary);
  std::string line(kEnd.size(), '\0');
  file.seekg(-static_cast<std::streamoff>(kEnd.size()), std::ios::end);
  if (!file.read(line.data(), kEnd.size()) || line != kEnd) return std::nullopt;
  file.seekg(0);
  if (!std::getline(file, line) || !line.ends_with(kTrialsFollow)) return std::nullopt;
  return ParseJson(line + "]}");
}

// Reads the trials after OpenLines(), without the whole text in memory.
void VisitLines(std::ifstream& file, const fs::path& path, const Visitor& visitor) {
  file.exceptions(std::ios::badbit);  // for example a lack of memory
  const EntryReader reader(path, visitor.content);
  std::string line;
  for (bool ended = false; !ended;) {
    std::vector<std::string> lines;
    while (lines.size() < kLinesAtOnce && !ended && std::getline(file, line)) {
      ended = line == "]}";
      if (line.ends_with(',')) line.pop_back();
      if (!ended) lines.push_back(line);
    }
    if (!ended && !file) FailPlan(path);  // truncated since OpenLines()
    std::vector<PlanEntry> entries(lines.size());
    tbb::parallel_for(tbb::blocked_range(std::size_t{0}, lines.size()), [&](const auto& range) {
      json trial;
      for (std::size_t i = range.begin(); i < range.end(); ++i) {
        ParseJsonInto(lines[i], trial);
        entries[i] = reader.Read(trial);
      }
    });
    for (PlanEntry& entry : entries) visitor.visit(std::move(entry));
  }
  if (std::getline(file, line)) FailPlan(path);
}

// Reads a plan of any layout. Converts each trial when it is complete, so that the JSON of one trial is in
// memory at a time.
json VisitJson(const fs::path& path, const Visitor& visitor) {
  const EntryReader reader(path, visitor.content);
  bool in_trials = false;
  const auto convert = [&](int depth, json::parse_event_t event, json& value) {
    if (event == json::parse_event_t::key && depth == 1) in_trials = value == "trials";
    if (!in_trials || depth != 2 || event != json::parse_event_t::object_end) return true;
    visitor.visit(reader.Read(value));
    return false;
  };
  return ParseJson(WholeFile<TraceError>(path.string()), convert);
}

// Reads the header, and the trials if `visits` or if the layout requires it.
json ReadHeader(const fs::path& path, bool visits, const Visitor& visitor) try {
  std::ifstream file;
  std::optional<json> header = OpenLines(path, file);
  if (header && visits) VisitLines(file, path, visitor);
  if (!header) header = VisitJson(path, visitor);
  if (header->at("trials") != json::array()) FailPlan(path);
  header->erase("trials");
  (void)header->at("experiment").get_ref<const std::string&>();  // throws without one
  return *header;
} catch (const json::exception&) {
  FailPlan(path);
}

}  // namespace

PlanFile ReadPlan(const fs::path& path, bool content) {
  PlanFile plan;
  plan.header = VisitPlan(
      path, [&](PlanEntry&& entry) { plan.trials.push_back(std::move(entry)); }, content);
  return plan;
}

json VisitPlan(const fs::path& path, const std::function<void(PlanEntry&&)>& visit, bool content) {
  std::vector<std::size_t> names;  // hashes, which take less memory; two keys of a spec may give one id
  const std::function<void(PlanEntry &&)> checked = [&](PlanEntry&& entry) {
    names.push_back(std::hash<std::string>()(entry.name));
    visit(std::move(entry));
  };
  json header = ReadHeader(path, true, {checked, content});
  std::sort(names.begin(), names.end());
  if (std::adjacent_find(names.begin(), names.end()) != names.end())
    throw TraceError(path.string() + ": lists a trial twice; okbench run rewrites it");
  return header;
}

json ReadPlanHeader(const fs::path& path) {
  return ReadHeader(path, false, {[](PlanEntry&&) {}, false});
}

}  // namespace okbench
