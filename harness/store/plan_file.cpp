#include "harness/store/plan_file.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <utility>

#include "datasets/whole_file.h"
#include "harness/plan/canonical.h"
#include "harness/store/atomic_file.h"
#include "harness/store/json_file.h"
#include "harness/system/names.h"
#include "learners/core/error.h"

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
  if (!trial.candidates.empty())
    for (const auto& [name, value] : trial.candidates.front().values.items()) names.push_back(name);
  return names;
}

// Makes the lines of the trials. Repetitions follow each other and differ in few values, so the others are
// converted to JSON once.
class LineMaker {
 public:
  std::string Line(const Trial& trial) {
    if (last_ == nullptr || !SameSetting(trial, *last_)) {
      axes_ = NumberedText(AxesText(trial, 0), AxesText(trial, 1));
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
                       trial.search() ? std::to_string(trial.SearchNumber()) : "null", grid_point_, trial.id,
                       labels_, TextOf(trial.Name()), TextOf(trial.Needs()), trial.repetition, flags_);
  }

 private:
  const Trial* last_ = nullptr;
  std::optional<NumberedText> axes_;
  std::string cost_, grid_point_, labels_, flags_;
};

PlanEntry EntryOf(const json& trial, const fs::path& folder, const std::string& plan) {
  PlanEntry entry{.id = trial.at("id"),
                  .name = trial.at("name"),
                  .file = trial.at("file"),
                  .learner_key = trial.at("learner_key"),
                  .grid_point = trial.at("grid_point"),
                  .data = trial.at("axes").value("data", ""),
                  .batch = trial.at("axes").value("batch", json()),
                  .repetition = trial.at("repetition"),
                  .fold = std::nullopt,
                  .synthetic = std::nullopt};
  if (const json& fold = trial.at("fold"); !fold.is_null()) entry.fold = fold.get<std::uint64_t>();
  if (trial.contains("synthetic")) entry.synthetic = trial.at("synthetic").get<bool>();
  // Resolving every name of a large plan would take a minute.
  std::error_code ignored;
  if (!IsInnerName(entry.file) || entry.file.find('/') != std::string::npos ||
      fs::is_symlink(folder / entry.file, ignored))
    InnerFile(folder, entry.file, plan);
  return entry;
}

// Whether the file has exactly these bytes. Reading a large plan is much faster than flushing it to disk.
bool HasContent(const fs::path& path, const std::string& bytes) {
  std::ifstream file(path, std::ios::binary);
  std::string piece(std::size_t{1} << 20, '\0');
  std::size_t from = 0;
  do {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    const auto count = static_cast<std::size_t>(file.gcount());
    if (bytes.compare(from, count, piece, 0, count) != 0) return false;
    from += count;
  } while (file);
  return file.eof() && from == bytes.size();
}

}  // namespace

std::string PlanText(const PlannedSpec& spec) {
  json header = {{"format", kPlanFormat},    {"experiment", spec.spec.experiment},
                 {"title", spec.spec.title}, {"tier", spec.spec.tier},
                 {"spec", spec.spec.path},   {"overrides", spec.spec.overrides}};
  if (!spec.replaced.empty()) header["replaced_data"] = spec.replaced;
  constexpr std::size_t kLine = 800;  // characters of a long line
  std::string text = TextOf(header);
  text.reserve(text.size() + kLine * spec.trials.size());  // growing would need twice the memory
  text.pop_back();
  text += ",\"trials\":[\n";
  constexpr std::size_t kBlock = 4096, kBlocksAtOnce = 16;
  std::vector<std::string> blocks;
  for (std::size_t first = 0; first < spec.trials.size(); first += kBlock * kBlocksAtOnce) {
    const std::size_t count = std::min(kBlock * kBlocksAtOnce, spec.trials.size() - first);
    blocks.assign((count + kBlock - 1) / kBlock, "");
    tbb::parallel_for(std::size_t{0}, blocks.size(), [&](std::size_t b) {
      LineMaker lines;
      for (std::size_t i = b * kBlock; i < std::min(count, (b + 1) * kBlock); ++i)
        blocks[b] += lines.Line(spec.trials[first + i]) + ",\n";
    });
    for (const std::string& block : blocks) text += block;
  }
  if (!spec.trials.empty()) text.erase(text.size() - 2, 1);  // the last comma
  text += "]}\n";
  return text;
}

void WritePlan(const PlannedSpec& spec) {
  try {
    MakeFolders(spec.folder);
  } catch (const TraceError& error) {
    throw SpecError("cannot create the result folder " + std::string(error.what()));
  }
  const std::string text = PlanText(spec);
  if (HasContent(spec.folder / "plan.json", text)) return;
  WriteFileAtomically((spec.folder / "plan.json").string(), text.data(), text.size());
}

bool IsPlanned(const PlannedSpec& spec, const std::vector<std::string>& ids) try {
  std::set<std::string> missing(ids.begin(), ids.end());
  for (const PlanEntry& entry : ReadPlan(spec.folder / "plan.json").trials) missing.erase(entry.id);
  return std::none_of(spec.trials.begin(), spec.trials.end(),
                      [&](const Trial& trial) { return missing.contains(trial.id); });
} catch (const TraceError&) {
  return false;
}

namespace {

constexpr std::string_view kTrialsFollow = ",\"trials\":[";  // end of the first line made by PlanText
constexpr std::size_t kLinesAtOnce = 65536;

// Reads a plan of the layout of PlanText, without the whole text in memory. Nothing for another layout.
std::optional<PlanFile> ReadLines(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  file.exceptions(std::ios::badbit);  // for example a lack of memory
  std::string line;
  if (!std::getline(file, line) || !line.ends_with(kTrialsFollow)) return std::nullopt;
  PlanFile plan;
  plan.header = ParseJson(line + "]}");
  for (bool ended = false; !ended;) {
    std::vector<std::string> lines;
    while (lines.size() < kLinesAtOnce && !ended && std::getline(file, line)) {
      ended = line == "]}";
      if (line.ends_with(',')) line.pop_back();
      if (!ended) lines.push_back(line);
    }
    if (!ended && !file) return std::nullopt;  // truncated, or edited
    const std::size_t first = plan.trials.size();
    plan.trials.resize(first + lines.size());
    tbb::parallel_for(tbb::blocked_range(std::size_t{0}, lines.size()), [&](const auto& range) {
      json trial;
      for (std::size_t i = range.begin(); i < range.end(); ++i) {
        ParseJsonInto(lines[i], trial);
        plan.trials[first + i] = EntryOf(trial, path.parent_path(), path.string());
      }
    });
  }
  if (std::getline(file, line)) return std::nullopt;
  return plan;
}

// Reads a plan of any layout.
PlanFile ReadJsonPlan(const fs::path& path) {
  PlanFile plan;
  bool in_trials = false;
  // Converts each trial when it is complete, so that the JSON of one trial is in memory at a time.
  const auto convert = [&](int depth, json::parse_event_t event, json& value) {
    if (event == json::parse_event_t::key && depth == 1) in_trials = value == "trials";
    if (!in_trials || depth != 2 || event != json::parse_event_t::object_end) return true;
    plan.trials.push_back(EntryOf(value, path.parent_path(), path.string()));
    return false;
  };
  plan.header = ParseJson(WholeFile<TraceError>(path.string()), convert);
  return plan;
}

}  // namespace

PlanFile ReadPlan(const fs::path& path) try {
  std::optional<PlanFile> lines = ReadLines(path);
  PlanFile plan = lines ? std::move(*lines) : ReadJsonPlan(path);
  if (plan.header.at("trials") != json::array())
    throw TraceError(path.string() + ": not a valid plan; okbench run rewrites it");
  plan.header.erase("trials");
  (void)plan.experiment();  // throws without one
  return plan;
} catch (const json::exception&) {
  throw TraceError(path.string() + ": not a valid plan; okbench run rewrites it");
}

}  // namespace okbench
