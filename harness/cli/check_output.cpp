#include "harness/cli/check_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "harness/reference/reference_history.h"
#include "harness/system/provenance.h"

namespace okbench {
namespace {

using nlohmann::json, nlohmann::ordered_json;

constexpr std::initializer_list<const char*> kCounts = {"requested", "computed", "evaluation"};
constexpr std::initializer_list<const char*> kErrors = {"error_rate", "test_error", "rmse",
                                                        "test_rmse",  "task_loss",  "test_task_loss"};
constexpr std::initializer_list<ReferenceState> kChanges = {ReferenceState::kFailed, ReferenceState::kChanged,
                                                            ReferenceState::kNew, ReferenceState::kMissing};
// A GitHub comment has at most 65536 bytes.
constexpr std::size_t kOpenRows = 20;       // visible rows of the table; the others are collapsed
constexpr std::size_t kMaxRows = 150;       // rows of the table in total
constexpr std::size_t kMaxDetails = 24000;  // bytes of the details

// [before, after] at a JSON pointer.
ordered_json PairAt(const CheckedTrial& trial, const std::string& pointer) {
  return ordered_json::array({PartOf(trial.before, pointer), PartOf(trial.after, pointer)});
}

bool IsKnown(const ordered_json& pair) { return !pair[0].is_null() || !pair[1].is_null(); }

ordered_json TrialJson(const CheckedTrial& trial) {
  ordered_json row = {{"id", trial.id.empty() ? json() : json(trial.id)},
                      {"experiment", trial.experiment},
                      {"name", trial.name},
                      {"learner", PartOf(trial.after.is_null() ? trial.before : trial.after, "/learner")},
                      {"state", NameOf(trial.state)},
                      {"digest", PairAt(trial, "/digest")},
                      {"revisions", PairAt(trial, "/revisions")},
                      {"counts", ordered_json::object()},
                      {"errors", ordered_json::object()}};
  for (const char* count : kCounts)
    row["counts"][count] = PairAt(trial, std::string("/summary/kernel_evaluations/") + count);
  for (const char* error : kErrors)
    if (const ordered_json pair = PairAt(trial, std::string("/summary/") + error); IsKnown(pair))
      row["errors"][error] = pair;
  row["moved"] = trial.state == ReferenceState::kChanged ? MovedNumbers(trial) : ordered_json::object();
  row["first_row"] = trial.first;
  row["differences"] = trial.lines;
  return row;
}

// Number of trials whose digest changed although no revision was raised.
std::size_t Unraised(const ReferenceReport& report) {
  std::size_t count = 0;
  for (const CheckedTrial& trial : report.trials)
    count += trial.state == ReferenceState::kChanged &&
             PartOf(trial.before, "/digest") != PartOf(trial.after, "/digest") &&
             PartOf(trial.before, "/revisions") == PartOf(trial.after, "/revisions");
  return count;
}

// "2 changed, 1 new".
std::string Kinds(const ReferenceReport& report) {
  std::string kinds;
  for (const ReferenceState state : kChanges)
    if (const std::size_t count = report.Count(state); count > 0)
      kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", count, NameOf(state));
  if (!report.gone.empty())
    kinds += fmt::format("{}experiments without a spec: {}", kinds.empty() ? "" : ", ", report.gone.size());
  return kinds;
}

std::string Verdict(const ReferenceReport& report, bool updated) {
  const std::string kinds = Kinds(report);
  std::string verdict = kinds.empty() ? fmt::format("all {} trials match the reference", report.compared())
                                      : fmt::format("{} of {} trials match the reference: {}{}",
                                                    report.Count(ReferenceState::kSame), report.trials.size(),
                                                    kinds, updated ? "; the reference was updated" : "");
  if (const std::string others = NotCompared(report); !others.empty()) verdict += "; " + others;
  return verdict;
}

std::string Number(const ordered_json& value, bool rate) {
  if (value.is_null()) return "-";
  if (rate) return fmt::format("{:.4g} %", 100 * value.get<double>());
  return value.is_number_float() ? fmt::format("{:.6g}", value.get<double>()) : value.dump();
}

// "12 → 13", or "12" if both are equal. Different values that round to the same text are printed in full.
std::string Moved(const ordered_json& pair, bool rate = false) {
  if (!IsKnown(pair)) return "";
  if (pair[0] == pair[1]) return Number(pair[0], rate);
  const std::string before = Number(pair[0], rate), after = Number(pair[1], rate);
  return before == after ? pair[0].dump() + " → " + pair[1].dump() : before + " → " + after;
}

// Training error (prefix "") or test error (prefix "test_"): a rate in percent, or a root mean squared error.
std::string Errors(const CheckedTrial& trial, const std::string& prefix) {
  const std::string of_rate = prefix.empty() ? "error_rate" : "test_error";
  const ordered_json rmse = PairAt(trial, "/summary/" + prefix + "rmse");
  return IsKnown(rmse) ? "rmse " + Moved(rmse) : Moved(PairAt(trial, "/summary/" + of_rate), true);
}

std::string TableRow(const CheckedTrial& trial) {
  std::string row = fmt::format("| `{}` | {} |", trial.name, NameOf(trial.state));
  for (const char* count : kCounts)
    row += fmt::format(" {} |", Moved(PairAt(trial, std::string("/summary/kernel_evaluations/") + count)));
  return row + fmt::format(" {} | {} |\n", Errors(trial, ""), Errors(trial, "test_"));
}

// A collapsed section.
std::string Folded(const std::string& title, const std::string& text) {
  return fmt::format("\n<details><summary>{}</summary>\n\n{}\n</details>\n", title, text);
}

std::string ChangesTable(const std::vector<const CheckedTrial*>& trials) {
  const std::string head =
      "| trial | state | requested | computed | evaluation | error | test error |\n"
      "|---|---|---:|---:|---:|---:|---:|\n";
  std::string open = head, folded = head;
  for (std::size_t i = 0; i < std::min(trials.size(), kMaxRows); ++i)
    (i < kOpenRows ? open : folded) += TableRow(*trials[i]);
  if (trials.size() <= kOpenRows) return open;
  if (trials.size() > kMaxRows)
    folded += fmt::format("\n{} more: `okbench check --json` lists all.\n", trials.size() - kMaxRows);
  return open + Folded(fmt::format("{} more", trials.size() - kOpenRows), folded);
}

std::string Details(const std::vector<const CheckedTrial*>& trials) {
  std::string text = "```\n";
  for (const CheckedTrial* trial : trials) {
    std::string lines = trial->name + ":\n";
    for (const std::string& line : trial->lines) lines += "  " + line + "\n";
    if (text.size() + lines.size() > kMaxDetails) {
      text += "...\n";
      break;
    }
    text += lines;
  }
  return text + "```\n";
}

}  // namespace

std::string NotCompared(const ReferenceReport& report) {
  const std::size_t count = report.Count(ReferenceState::kLibrary);
  if (count == 0) return "";
  return fmt::format("{} {} not compared: computed by a system library that differs between CPUs", count,
                     count == 1 ? "is" : "are");
}

ordered_json CheckJson(const ReferenceReport& report, bool updated) {
  ordered_json totals = {{"trials", report.trials.size()}};
  for (const ReferenceState state :
       {ReferenceState::kSame, ReferenceState::kChanged, ReferenceState::kMissing, ReferenceState::kNew,
        ReferenceState::kFailed, ReferenceState::kLibrary})
    totals[NameOf(state)] = report.Count(state);
  totals["unraised"] = Unraised(report);
  ordered_json trials = ordered_json::array();
  for (const CheckedTrial& trial : report.trials) trials.push_back(TrialJson(trial));
  const json program = BuildProvenance();
  return {{"format", 1},
          {"program", program.at("program")},
          {"commit", program.at("git_commit")},
          {"dirty", program.at("git_dirty")},
          {"same", Kinds(report).empty()},
          {"updated", updated},
          {"seconds", report.seconds},
          {"totals", totals},
          {"experiments_gone", report.gone},
          {"trials", trials}};
}

std::string CheckMarkdown(const ReferenceReport& report, bool updated) {
  std::string text = fmt::format("**okbench check**: {}.\n", Verdict(report, updated));
  if (const std::size_t unraised = Unraised(report); unraised > 0)
    text += fmt::format("\nTraces changed in {} {} although no revision was raised.\n", unraised,
                        unraised == 1 ? "trial" : "trials");
  std::vector<const CheckedTrial*> changed;
  for (const ReferenceState state : kChanges)
    for (const CheckedTrial& trial : report.trials)
      if (trial.state == state) changed.push_back(&trial);
  if (!changed.empty()) text += "\n" + ChangesTable(changed) + Folded("Differences", Details(changed));
  if (!report.gone.empty()) text += fmt::format("\nWithout a spec: {}\n", fmt::join(report.gone, ", "));
  return text + fmt::format("\n{}\n", ProgramVersion());
}

}  // namespace okbench
