#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "harness/reference/reference.h"
#include "harness/reference/reference_files.h"
#include "harness/reference/reference_history.h"
#include "harness/results/merge.h"
#include "harness/results/result_files.h"
#include "harness/results/result_folder.h"
#include "harness/results/rows.h"
#include "harness/system/json_file.h"
#include "harness/trace/segment.h"
#include "harness/trace/trace_content.h"
#include "harness/trace/trace_file.h"
#include "tests/fuzz/harness.h"
#include "tests/harness/sample_trace.h"
#include "tests/helpers.h"

namespace okbench::fuzz {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json PlanOfOne() {
  return {{"format", 2},
          {"experiment", "p/e"},
          {"title", "t"},
          {"tier", "quick"},
          {"spec", "e.toml"},
          {"overrides", json::array()},
          {"trials",
           {{{"id", testing::CompleteTrace().trial_id},
             {"name", "p/e/l/r0"},
             {"file", "a.h5"},
             {"label", "l"},
             {"learner_key", "l"},
             {"grid_point", ""},
             {"repetition", 0},
             {"fold", nullptr},
             {"needs", json::array()},
             {"axes", json::object()},
             {"tuned", json::array()},
             {"expected_evaluations", 1}}}}};
}

// Results of one trial, with its plan.
struct ResultFolder {
  ResultFolder() {
    fs::create_directories(folder.path() / "p/e");
    WriteTrace(folder.File("p/e/a.h5"), testing::CompleteTrace());
    WriteJson(folder.path() / "p/e/plan.json", PlanOfOne());
  }
  testing::TemporaryFolder folder;
};

// Progress messages must be one line, too.
void Listen(const std::string& line) {
  Documented([&] { throw SpecError(line); });
}

void ReadResults(const std::string& folder) {
  Documented([&] {
    ForEachRow(
        {.paths = {folder}, .folds = true, .target = 0.5},
        [](const Row& row, std::size_t) { row.Json().dump(); }, Listen);
  });
}

// Input: a plan, a line "--", and a failure record. An empty record stands for none.
void ReadAnyPlan(std::string_view bytes) {
  static const ResultFolder results;
  static const testing::TemporaryFolder out;
  const auto [plan, record] = Halves(bytes);
  results.folder.Write("p/e/plan.json", std::string(plan));
  fs::remove(results.folder.File("p/e/a.failed.json"));
  if (!record.empty()) results.folder.Write("p/e/a.failed.json", std::string(record));
  const std::string folder = results.folder.path().string();
  Documented([&] { Merge({folder}, "", Listen); });
  Documented([&] { Merge({folder}, out.path().string(), Listen); });
  fs::remove_all(out.path());
  Documented([&] { TracesBelow(folder); });
  ReadResults(folder);
}

std::vector<std::string> SomePlans() {
  json two = PlanOfOne();
  two["trials"].push_back(two["trials"][0]);
  two["trials"][1]["file"] = "b.h5";
  two["trials"][1]["fold"] = 3;
  const json record = {
      {"format", 1},        {"trial_id", "0"},    {"name", "p/e/l/r0"}, {"experiment", "p/e"},
      {"learner", "norma"}, {"learner_key", "l"}, {"grid_point", ""},   {"parameters", json::object()},
      {"batch", nullptr},   {"repetition", 0},    {"fold", nullptr},    {"data_set", "usps"},
      {"synthetic", false}, {"kind", "diverged"}, {"message", "m"}};
  return {PlanOfOne().dump(), two.dump(), PlanOfOne().dump(1) + "\n--\n" + record.dump(1)};
}

// A column of integers if all values are integers.
Column ColumnOf(const std::string& name, const json& list) {
  std::vector<double> real;
  std::vector<std::int64_t> whole;
  for (const json& value : list) {
    real.push_back(value.is_number() ? value.get<double>() : 0.0);
    if (value.is_number_integer()) whole.push_back(value.get<std::int64_t>());
  }
  if (whole.size() == real.size()) return {name, true, std::move(whole)};
  return {name, true, std::move(real)};
}

// Input: {"spec": ..., "summary": ..., "provenance": ..., "tables": {NAME: {COLUMN: [...]}}}. Computes its
// digests.
void ReadAnyResult(std::string_view bytes) {
  static const ResultFolder results;
  const json parsed = ParseJson(bytes);
  if (!parsed.is_object()) return;
  Trace trace = testing::CompleteTrace();
  const auto take = [&](const char* key, json& to) {
    if (const auto entry = parsed.find(key); entry != parsed.end()) to = *entry;
  };
  take("spec", trace.spec);
  take("summary", trace.summary);
  take("provenance", trace.provenance);
  json tables;
  take("tables", tables);
  if (tables.is_object()) {
    trace.tables.clear();
    for (const auto& [name, columns] : tables.items()) {
      Table& table = trace.tables.emplace_back(Table{name, {}});
      if (!columns.is_object()) continue;
      for (const auto& [column, list] : columns.items()) table.columns.push_back(ColumnOf(column, list));
    }
  }
  // Names that HDF5 rejects are not findings.
  try {
    WriteTrace(results.folder.File("p/e/a.h5"), trace);
  } catch (const TraceError&) {
    return;
  } catch (const json::exception&) {  // not UTF-8
    return;
  }
  ReadResults(results.folder.path().string());
}

std::vector<std::string> SomeResults() {
  const Trace trace = testing::CompleteTrace();
  const json parsed = {{"spec", trace.spec}, {"summary", trace.summary}, {"provenance", trace.provenance}};
  json tables = parsed, tuned = parsed;
  tables["tables"] = {{"trace", {{"step", {1, 2}}, {"mistakes", {0, 1}}, {"kernel_requested", {0, 4}}}},
                      {"checkpoints", {{"step", json::array()}}}};
  tuned["summary"]["tuned"] = {{"chosen", {{"eta0", 0.1}}}};
  tuned["summary"]["rmse"] = 0.5;
  tuned["spec"]["kernel_point"] = {{"sigma", 2}};
  tuned["spec"]["data"]["fold"] = {{"fold", 1}, {"folds", 2}};
  return {parsed.dump(), tables.dump(), tuned.dump(1)};
}

// Input: the summary row of a trial in a segment, which has the right digest; and the bytes of a segment.
void ReadAnySegment(std::string_view bytes) {
  static const ResultFolder results;
  const fs::path folder = results.folder.path() / "p/e";
  fs::remove(folder / "a.h5");
  const fs::path segment = WriteSegment(
      folder,
      {{.file = "a.h5", .trace = TraceBytes(testing::CompleteTrace()), .row = " " + std::string(bytes)}});
  ReadResults(results.folder.path().string());
  fs::remove(segment);
  results.folder.Write("p/e/segment-0.h5", std::string(bytes));
  ReadResults(results.folder.path().string());
  fs::remove(folder / "segment-0.h5");
}

std::vector<std::string> SomeRows() {
  const json row = RowOf(testing::CompleteTrace(), std::nullopt).Json();
  json tuned = row;
  tuned["parameters"] = {{"eta0", 0.1}};
  tuned["measures"] = {{"auc", 0.5}};
  tuned["delay"] = 3;
  return {row.dump(), tuned.dump(1)};
}

// Input: references of an experiment. Compares a folder and a trace with them.
void ReadAnyReference(std::string_view bytes) {
  static const ResultFolder results;
  static const testing::TemporaryFolder folder;
  static const Trace trace = testing::CompleteTrace();
  folder.Write("p/e.json", std::string(bytes));
  folder.Write("p/gone.json", std::string(bytes));
  const std::string from = results.folder.path().string(), to = folder.path().string();
  Documented([&] {
    const ReferenceReport report = CompareWithReferences(from, to, true, Listen);
    // Reads the same bytes as the history of reference updates.
    folder.Write("p/history.jsonl", std::string(bytes));
    ReferenceHistory(to + "/p").Compare(report);
  });
  const json content = ParseJson(bytes);
  if (content.is_discarded()) return;
  Documented([&] {
    for (const std::string& line : CompareWithReference(content, trace).lines) Listen(line);
  });
}

std::vector<std::string> SomeReferences() {
  const json same = MakeReference(testing::CompleteTrace());
  json other = same;
  other["digest"] = "0";
  other["tables"]["trace"]["hashes"] = "000000000000";
  other["summary"]["examples"] = 4;
  const auto file = [](const json& reference) {
    return json{{"format", 1}, {"trials", {{"p/e/l/r0", reference}}}}.dump();
  };
  const std::string history =
      R"({"format": 1, "about": ""})"
      "\n"
      R"({"entry": "a", "date": "2026-01-31T12:34:56Z", "reason": "why"})"
      "\n"
      R"({"entry": "a", "trial": "p/e/l/r0", "state": "changed", "digest": ["0", "1"], "summary": {}})"
      "\n";
  return {same.dump(), other.dump(1), file(same), file(other), history};
}

}  // namespace

Harness Plans() {
  return {"plans",
          ReadAnyPlan,
          SomePlans,
          {"\"trials\"", "\"file\"", "\"id\"", "\"../a.h5\"", "\"a/b.h5\"", "\\u0000", "null", "1e999",
           "\n--\n"}};
}

Harness Results() {
  return {"results",
          ReadAnyResult,
          SomeResults,
          {"\"spec\"", "\"summary\"", "\"tuned\"", "\"chosen\"", "\"fold\"", "\"tables\"", "\"mistakes\"",
           "null", "\\u000a", "1e999"}};
}

Harness Segments() {
  return {"segments",
          ReadAnySegment,
          SomeRows,
          {"\"id\"", "\"status\"", "\"ok\"", "\"measures\"", "\"kernel_evaluations\"", "\"requested\"",
           "null", "-1", "1e999"}};
}

Harness References() {
  return {"references",
          ReadAnyReference,
          SomeReferences,
          {"\"trials\"", "\"tables\"", "\"kept\"", "\"rows\"", "\"hashes\"", "\"values\"", "null", "-1",
           "18446744073709551615"}};
}

}  // namespace okbench::fuzz
