// Lists learners, losses, kernels, data sets, spec keys or experiments, as text or JSON.

#include "harness/cli/list.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/nearest.h"
#include "datasets/formats/format.h"
#include "datasets/generators/generators.h"
#include "datasets/text/text_options.h"
#include "harness/cli/data_sets.h"
#include "harness/cli/printing.h"
#include "harness/cli/topics.h"
#include "harness/measures/prediction_measure.h"
#include "harness/plan/plan.h"
#include "harness/plan/registry_json.h"
#include "harness/plan/revisions.h"
#include "harness/recording/measure.h"
#include "harness/spec/catalogs.h"
#include "harness/spec/output_table.h"
#include "harness/spec/spec_keys.h"
#include "harness/spec/toml_reader.h"
#include "harness/system/paths.h"
#include "learners/api/registry.h"
#include "learners/kernels/engine.h"
#include "learners/losses/loss.h"

namespace okbench {
namespace {

using nlohmann::json;

constexpr const char* kNamedMeasures = "[measures]";  // in place of a table of the trace

// "binary, multiclass or real".
std::string LabelText(const LearnerInfo& info) {
  std::string text;
  for (std::size_t i = 0; i < info.labels.size(); ++i)
    text += (i == 0                       ? ""
             : i + 1 < info.labels.size() ? ", "
                                          : " or ") +
            std::string(LabelKindName(info.labels[i]));
  return text;
}

json KeyJson(const KeyTable& table, const SpecKey& key) {
  return {{"key", (table.path.empty() ? "" : table.path + ".") + key.name},
          {"table", table.path},
          {"name", key.name},
          {"placeholder", key.IsPlaceholder()},
          {"kernel", table.of.empty() ? json() : json(table.of)},
          {"type", KindName(key.kind)},
          {"allowed", key.Allowed()},
          {"default", key.default_value ? ToJson(*key.default_value) : json()},
          {"required", key.required},
          {"tier", key.tier},
          {"description", key.description}};
}

json KeysJson() {
  json out = json::array();
  for (const KeyTable& table : SpecTables())
    for (const SpecKey& key : table.keys) out.push_back(KeyJson(table, key));
  return out;
}

json KernelsJson() {
  static const std::map<std::string, const char*> equations = {
      {"rbf", "exp(-gamma ||x-x'||^2), gamma = 1/(2 sigma^2)"},
      {"polynomial", "(scale <x,x'> + offset)^degree"},
      {"linear", "<x,x'>"},
      {"histogram-intersection", "sum_j min(x_j, x'_j), all features >= 0"},
      {"sum", "sum_t weight_t k_t(x,x'), k_t on features first..last"}};
  json out = json::array();
  for (const std::string& name : KeysOf("kernel").keys.front().choices) {
    json keys = json::array();
    for (const KeyTable& table : SpecTables())
      if (table.of == name && table.path == "kernel")
        for (const SpecKey& key : table.keys) keys.push_back(KeyJson(table, key));
    out.push_back({{"name", name}, {"equation", equations.at(name)}, {"keys", keys}});
  }
  return out;
}

json RevisionsJson() {
  json out = {{{"of", "engine"}, {"revision", kEngineRevision}},
              {{"of", "protocol"}, {"revision", kProtocolRevision}},
              {{"of", "distances"}, {"revision", kDistanceRevision}},
              {{"of", "integers"}, {"revision", kIntegersRevision}},
              {{"of", "generator"}, {"revision", kGeneratorVersion}},
              {{"of", "text"}, {"revision", kTextRevision}}};
  for (const OutputTable& outputs : OutputTables())
    for (const auto& [name, revision] : outputs.revisions)
      out.push_back({{"of", name}, {"revision", revision}});
  for (const LearnerInfo& info : Learners())
    out.push_back({{"of", "method " + info.name}, {"revision", info.revision}});
  for (const LossInfo& info : Losses())
    out.push_back({{"of", "loss " + info.name}, {"revision", info.revision}});
  return out;
}

json FormatsJson() {
  json out = json::array();
  for (const Format& format : Formats())
    out.push_back({{"name", format.name},
                   {"files", format.files},
                   {"real_targets", format.real_targets},
                   {"shared_files", format.shared_files},
                   {"documents", format.documents},
                   {"title", format.title}});
  return out;
}

json MeasuresJson() {
  json out = json::array();
  for (const MeasureInfo& measure : Measures())
    for (const MeasureField& field : measure.fields)
      out.push_back({{"measure", measure.name},
                     {"title", measure.title},
                     {"table", field.table},
                     {"name", field.name},
                     {"meaning", field.meaning}});
  for (const PredictionMeasureInfo& measure : PredictionMeasures())
    out.push_back({{"measure", measure.name},
                   {"title", measure.title},
                   {"table", kNamedMeasures},
                   {"name", measure.name},
                   {"meaning", measure.definition},
                   {"source", measure.source}});
  return out;
}

json ExperimentsJson() {
  json out = json::array();
  for (const std::string& path : KnownSpecs()) {
    const TomlSource source(path);
    TomlReader reader(source, source.root(), "", KeysOf(""));
    out.push_back(
        {{"experiment", reader.Text("experiment")}, {"title", reader.Text("title")}, {"spec", path}});
  }
  return out;
}

void PrintLearners(const std::string& name) {
  const std::vector<std::string> names = LearnersNamed(name);
  for (const LearnerInfo& info : Learners()) {
    if (!name.empty() && std::find(names.begin(), names.end(), info.name) == names.end()) continue;
    fmt::print("{}: {}\n  {}\n  {}\n  learns from: {}, {} labels; revision {}{}\n", info.name, info.title,
               info.paper, info.update, ProtocolName(info.protocol), LabelText(info), info.revision,
               info.estimator.name.empty() ? "" : "; in Python okbench." + info.estimator.name);
    for (const Parameter& p : info.parameters) {
      std::string note = p.Allowed();
      if (!p.unit.empty()) note += ", in " + p.unit;
      fmt::print("    {:<14} default {:<17} {}{}\n    {:<14} {}\n", p.name, ToText(p.default_value),
                 p.symbol.empty() || p.symbol == p.name ? "" : p.symbol + "; ", p.description, "", note);
    }
    fmt::print("\n");
  }
}

}  // namespace

json RowsOf(const std::string& what) {
  const Catalog catalog = ReadCatalog();
  const DataFolders folders = DataFolders::FromEnvironment();
  if (what == "learners") return LearnersJson();
  if (what == "losses") return LossesJson();
  if (what == "kernels") return KernelsJson();
  if (what == "keys") return KeysJson();
  if (what == "datasets") return DataSetsJson(catalog, folders);
  if (what == "formats") return FormatsJson();
  if (what == "revisions") return RevisionsJson();
  if (what == "measures") return MeasuresJson();
  return ExperimentsJson();
}

std::string NameKey(const std::string& what) {
  static const std::map<std::string, const char*> keys = {
      {"experiments", "experiment"}, {"revisions", "of"}, {"keys", "key"}, {"measures", "measure"}};
  const auto entry = keys.find(what);
  return entry == keys.end() ? "name" : entry->second;
}

namespace {

// The rows of this name. Throws SpecError if there is none.
json RowsNamed(const json& rows, const std::string& what, const std::string& name) {
  const std::string key = NameKey(what);
  const std::vector<std::string> others =
      what == "learners" ? LearnersNamed(name) : std::vector<std::string>{};
  std::vector<std::string> names;
  json found_rows = json::array();
  for (const json& row : rows) {
    const std::string known = row[key];
    if (known == name || std::find(others.begin(), others.end(), known) != others.end())
      found_rows.push_back(row);
    names.push_back(row[key]);
  }
  if (!found_rows.empty()) return found_rows;
  throw SpecError("list " + what + ": unknown name '" + name + "'" +
                  DidYouMean(name, names, "see okbench help " + what));
}

// Prints keys of specs. Defaults are written as in a spec; a key of a kernel is followed by the kernel's
// name.
void PrintKeys(const json& rows) {
  json shown = rows;
  for (json& row : shown) {
    if (!row["kernel"].is_null())
      row["key"] = fmt::format("{} ({})", row["key"].get<std::string>(), row["kernel"].get<std::string>());
    row["default"] = row["required"] ? "required" : row["default"].is_null() ? "" : row["default"].dump();
  }
  PrintRows(shown, {"key", "default", "allowed", "description"});
}

void PrintKernels(const json& rows) {
  for (const json& row : rows) {
    fmt::print("{}: {}\n", row["name"].get<std::string>(), row["equation"].get<std::string>());
    for (const json& key : row["keys"])
      fmt::print("    {:<14} {}\n", key["name"].get<std::string>(), key["allowed"].get<std::string>());
  }
}

// Prints the measures of predictions, then what every trial records.
void PrintMeasures(const json& rows) {
  json named = json::array(), recorded = json::array();
  for (const json& row : rows) (row["table"] == kNamedMeasures ? named : recorded).push_back(row);
  if (!named.empty()) {
    fmt::print("Measures of predictions, for [measures] and --measure:\n");
    for (json& row : named) row["definition"] = row["meaning"];
    PrintRows(named, {"measure", "definition", "source"});
  }
  if (!named.empty() && !recorded.empty()) fmt::print("\n\nColumns and summary values of traces:\n");
  if (!recorded.empty()) PrintRows(recorded, {"measure", "table", "name", "meaning"});
}

}  // namespace

void PrintText(const std::string& what, const std::string& name, const json& rows) {
  if (what == "learners")
    PrintLearners(name);
  else if (what == "losses")
    PrintRows(rows, {"name", "equation", "labels", "parameter", "paper"});
  else if (what == "kernels")
    PrintKernels(rows);
  else if (what == "keys")
    PrintKeys(rows);
  else if (what == "datasets")
    PrintDataSets(rows);
  else if (what == "formats")
    PrintRows(rows, {"name", "files", "real_targets", "shared_files", "title"});
  else if (what == "measures")
    PrintMeasures(rows);
  else if (what == "revisions")
    PrintRows(rows, {"of", "revision"});
  else
    PrintRows(rows, {"experiment", "title", "spec"});
}

const std::vector<std::string>& ListNames() {
  static const std::vector<std::string> names = {"learners", "losses",   "kernels",     "datasets", "formats",
                                                 "keys",     "measures", "experiments", "revisions"};
  return names;
}

void ShowList(const std::string& what, const std::string& name, bool as_json) {
  json rows = RowsOf(what);
  if (!name.empty()) rows = RowsNamed(rows, what, name);
  if (as_json)
    fmt::print("{}\n", rows.dump(2));
  else
    PrintText(what, name, rows);
}

}  // namespace okbench
