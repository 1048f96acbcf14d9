#include "harness/reference/reference_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/sha256.h"
#include "base/whole_file.h"
#include "harness/system/json_file.h"
#include "harness/system/provenance.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json, nlohmann::ordered_json;

constexpr const char* kHeader =
    R"({"format": 1, "about": "What moved in the references, and why: okbench check --update adds to it."})";
constexpr std::size_t kShortDigest = 16;

ordered_json Pair(const json& before, const json& after) { return ordered_json::array({before, after}); }

json ShortDigest(const json& reference) {
  const json digest = PartOf(reference, "/digest");
  return digest.is_string() ? json(digest.get<std::string>().substr(0, kShortDigest)) : json();
}

// The line of one trial, without the name of its entry.
ordered_json ChangeOf(const CheckedTrial& trial) {
  const json& known = trial.after.is_null() ? trial.before : trial.after;
  ordered_json line = {{"trial", trial.name}};
  if (!trial.id.empty()) line["id"] = trial.id;
  line["state"] = NameOf(trial.state);
  line["learner"] = PartOf(known, "/learner");
  line["digest"] = Pair(ShortDigest(trial.before), ShortDigest(trial.after));
  if (const json before = PartOf(trial.before, "/revisions"), after = PartOf(trial.after, "/revisions");
      before != after)
    line["revisions"] = Pair(before, after);
  line["summary"] = MovedNumbers(trial);
  return line;
}

// Revisions of a trial by component. The component "method" is replaced by the learner's name.
std::map<std::string, json> NamedRevisions(const json& reference) {
  std::map<std::string, json> named;
  const json revisions = PartOf(reference, "/revisions"), learner = PartOf(reference, "/learner");
  for (const auto& [of, revision] : revisions.items())
    named[of == "method" && learner.is_string() ? learner.get<std::string>() : of] = revision;
  return named;
}

// One line of JSON, with a space after colons and commas at the top level.
std::string LineOf(const ordered_json& value) {
  const auto replace = ordered_json::error_handler_t::replace;
  std::string text = "{";
  for (const auto& [key, item] : value.items())
    text +=
        (text.size() > 1 ? ", " : "") + ordered_json(key).dump() + ": " + item.dump(-1, ' ', false, replace);
  return text + "}\n";
}

}  // namespace

ordered_json MovedNumbers(const CheckedTrial& trial) {
  const auto flat = [](const json& reference) {
    const json summary = PartOf(reference, "/summary");
    return summary.is_object() && !summary.empty() ? summary.flatten() : json::object();
  };
  const json before = flat(trial.before), after = flat(trial.after);
  ordered_json moved = ordered_json::object();
  for (const auto& [key, value] : after.items())
    if (!before.contains(key) || before.at(key) != value)
      moved[key.substr(1)] = Pair(before.contains(key) ? before.at(key) : json(), value);
  for (const auto& [key, value] : before.items())
    if (!after.contains(key)) moved[key.substr(1)] = Pair(value, nullptr);
  return moved;
}

ReferenceHistory::ReferenceHistory(const std::string& folder)
    : path_((fs::path(folder) / "history.jsonl").string()) {
  if (fs::exists(path_)) text_ = WholeFile<TraceError>(path_);
  std::size_t number = 0;
  for (std::size_t at = 0; at < text_.size();) {
    const std::size_t end = std::min(text_.find('\n', at), text_.size());
    ++number;
    try {
      ReadLine(ParseJson(std::string_view(text_).substr(at, end - at)));
    } catch (const json::exception&) {
      throw TraceError(fmt::format("{}:{}: invalid line; restore the file from Git", path_, number));
    }
    at = end + 1;
  }
  if (text_.empty()) text_ = std::string(kHeader) + "\n";
  if (text_.back() != '\n') text_ += '\n';
}

void ReferenceHistory::ReadLine(const json& line) {
  if (line.is_object() && line.contains("format")) return;
  const std::string entry = line.at("entry");
  if (line.contains("trial")) {
    const std::string trial = line.at("trial");
    last_[trial] = line;
    // Entries of two branches that are merged both end in a digest that the reference may have.
    const json &before = line.at("digest").at(0), &after = line.at("digest").at(1);
    if (before == after) ends_[trial].clear();
    ends_[trial].erase(before);
    ends_[trial].insert(after);
  } else {
    entries_[entry] =
        fmt::format("{} ({})", line.at("date").get<std::string>(), line.at("reason").get<std::string>());
  }
}

void ReferenceHistory::Compare(const ReferenceReport& report) {
  raised_ = revisions_ = ordered_json::object();
  unexplained_.clear();
  gone_ = report.gone;
  for (const CheckedTrial& trial : report.trials) {
    std::erase(gone_, trial.experiment);
    ordered_json line = ChangeOf(trial);
    if (const auto last = last_.find(trial.name); last != last_.end()) {
      json recorded = last->second;
      const std::string entry = recorded.at("entry");
      recorded.erase("entry");
      if (IsChange(trial.state) && recorded == json(line)) {
        recorded_reason_ = entries_[entry];
        continue;
      }
    }
    const bool explained = trial.before.is_null() || ends_[trial.name].contains(ShortDigest(trial.before));
    if (!explained) unexplained_.push_back(trial.name);
    if (explained && !IsChange(trial.state)) continue;
    unrecorded_.push_back(std::move(line));
    const auto before = NamedRevisions(trial.before);
    for (const auto& [of, revision] : NamedRevisions(trial.after)) {
      revisions_[of] = revision;
      if (const auto then = before.find(of); then != before.end() && then->second != revision)
        raised_[of] = Pair(then->second, revision);
    }
  }
}

void ReferenceHistory::Append(const std::string& reason) {
  const json program = BuildProvenance();
  const std::string date = UtcNow();
  const auto count = [this](ReferenceState state) {
    return std::ranges::count_if(unrecorded_,
                                 [&](const auto& line) { return line.at("state") == NameOf(state); });
  };
  ordered_json entry = {{"entry", ""},
                        {"date", date},
                        {"reason", reason},
                        {"commit", program.at("git_commit")},
                        {"dirty", program.at("git_dirty")},
                        {"program", program.at("program")},
                        {"changed", count(ReferenceState::kChanged)},
                        {"new", count(ReferenceState::kNew)},
                        {"missing", count(ReferenceState::kMissing)},
                        {"raised", raised_},
                        {"revisions", revisions_}};
  if (!gone_.empty()) entry["gone"] = gone_;
  // The name includes a digest of the content, so that entries of two branches never get the same name.
  std::string content = LineOf(entry);
  for (const ordered_json& line : unrecorded_) content += LineOf(line);
  Sha256 digest;
  digest.Update(content.data(), content.size());
  const std::string name = date + "-" + digest.Hex().substr(0, 8);
  entry["entry"] = name;
  std::string text = text_ + LineOf(entry);
  for (const ordered_json& line : unrecorded_) {
    ordered_json named = {{"entry", name}};
    named.update(line);
    text += LineOf(named);
  }
  MakeFolders(fs::path(path_).parent_path());
  WriteFileAtomically(path_, text.data(), text.size());
  text_ = std::move(text);
}

}  // namespace okbench
