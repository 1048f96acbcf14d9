#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "datasets/formats/format.h"
#include "harness/commands/commands.h"
#include "harness/plan/plan.h"
#include "harness/spec/toml_reader.h"
#include "harness/store/results.h"
#include "harness/system/paths.h"
#include "learners/api/registry.h"
#include "learners/losses/loss.h"

namespace okbench {
namespace {

using nlohmann::json;

const char* ProtocolName(Protocol protocol) {
  static const char* const kNames[] = {"stream", "mini-batches", "selection", "solver"};
  return kNames[static_cast<int>(protocol)];
}

json Learners2Json() {
  json out = json::array();
  for (const LearnerInfo& info : Learners()) {
    json parameters = json::array();
    for (const Parameter& p : info.parameters)
      parameters.push_back({{"name", p.name},
                            {"symbol", p.symbol},
                            {"default", ToJson(p.default_value)},
                            {"allowed", p.Allowed()},
                            {"unit", p.unit},
                            {"description", p.description}});
    out.push_back({{"name", info.name},
                   {"title", info.title},
                   {"paper", info.paper},
                   {"update", info.update},
                   {"protocol", ProtocolName(info.protocol)},
                   {"parameters", parameters}});
  }
  return out;
}

json Losses2Json() {
  json out = json::array();
  for (const LossInfo& info : Losses())
    out.push_back({{"name", info.name},
                   {"equation", info.equation},
                   {"paper", info.paper},
                   {"labels", info.labels},
                   {"parameter", info.parameter == LossParameter::kMargin ? "margin"
                                 : info.parameter == LossParameter::kTube ? "tube"
                                                                          : "none"}});
  return out;
}

json Kernels2Json() {
  return {{{"name", "rbf"},
           {"equation", "exp(-gamma ||x-x'||^2), gamma = 1/(2 sigma^2)"},
           {"keys", "sigma > 0 or gamma > 0"}},
          {{"name", "polynomial"},
           {"equation", "(scale <x,x'> + offset)^degree"},
           {"keys", "degree 1..64 (2), scale > 0 (1), offset >= 0 (0)"}},
          {{"name", "linear"}, {"equation", "<x,x'>"}, {"keys", "none"}},
          {{"name", "histogram-intersection"},
           {"equation", "sum_j min(x_j, x'_j)"},
           {"keys", "none; features must be >= 0"}}};
}

json Formats2Json() {
  json out = json::array();
  for (const Format& format : Formats())
    out.push_back({{"name", format.name},
                   {"files", format.files},
                   {"real_targets", format.real_targets},
                   {"shared_files", format.shared_files},
                   {"title", format.title}});
  return out;
}

json DataSets2Json(const Catalog& catalog, const DataFolders& folders) {
  json out = json::array();
  for (const auto& [name, set] : catalog.sets()) {
    json parts = json::object();
    bool here = true;
    for (const auto& [part, info] : set.parts) {
      parts[part] = info.rows;
      for (const DataFile& file : info.files) here = here && Locate(file, folders).has_value();
    }
    out.push_back({{"name", name},
                   {"title", set.title},
                   {"features", set.features},
                   {"classes", set.labels.size()},
                   {"rows", parts},
                   {"available", here},
                   {"generated", set.generated()},
                   {"stand_in", set.generated() ? json() : json(set.generator.name)},
                   {"terms", set.terms}});
  }
  return out;
}

json Experiments2Json() {
  json out = json::array();
  for (const std::string& path : KnownSpecs()) {
    const TomlSource source(path);
    TomlReader reader(source, source.root(), "");
    out.push_back(
        {{"experiment", reader.Text("experiment")}, {"title", reader.Text("title", "")}, {"spec", path}});
  }
  return out;
}

void PrintLearners() {
  for (const LearnerInfo& info : Learners()) {
    fmt::print("{}: {}\n  {}\n  {}\n  learns from: {}\n", info.name, info.title, info.paper, info.update,
               ProtocolName(info.protocol));
    for (const Parameter& p : info.parameters) {
      std::string note = p.Allowed();
      if (!p.unit.empty()) note += ", in " + p.unit;
      fmt::print("    {:<14} default {:<17} {}{}\n    {:<14} {}\n", p.name, ToText(p.default_value),
                 p.symbol.empty() || p.symbol == p.name ? "" : p.symbol + "; ", p.description, "", note);
    }
    fmt::print("\n");
  }
}

std::string Plain(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

void PrintTable(const json& rows, const std::vector<std::string>& keys) {
  std::vector<std::vector<std::string>> table = {keys};
  for (const json& row : rows) {
    table.emplace_back();
    for (const std::string& key : keys) table.back().push_back(Plain(row[key]));
  }
  PrintColumns(table);
}

}  // namespace

void ListCommand(const std::string& what, bool as_json, const Catalog& catalog, const DataFolders& folders) {
  json rows;
  std::vector<std::string> keys;
  if (what == "learners") {
    rows = Learners2Json();
  } else if (what == "losses") {
    rows = Losses2Json();
    keys = {"name", "equation", "labels", "parameter", "paper"};
  } else if (what == "kernels") {
    rows = Kernels2Json();
    keys = {"name", "equation", "keys"};
  } else if (what == "datasets") {
    rows = DataSets2Json(catalog, folders);
    keys = {"name", "features", "classes", "rows", "available", "title"};
  } else if (what == "formats") {
    rows = Formats2Json();
    keys = {"name", "files", "real_targets", "shared_files", "title"};
  } else {
    rows = Experiments2Json();
    keys = {"experiment", "title", "spec"};
  }
  if (as_json)
    fmt::print("{}\n", rows.dump(2));
  else if (what == "learners")
    PrintLearners();
  else
    PrintTable(rows, keys);
}

}  // namespace okbench
