#include "harness/results/row.h"

#include <type_traits>
#include <utility>

#include "base/error.h"
#include "harness/plan/canonical.h"
#include "harness/results/result_files.h"
#include "harness/results/result_folder.h"
#include "harness/results/verify.h"
#include "harness/spec/kernel_reader.h"
#include "harness/system/json_file.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Conversions between values of a row and JSON. Reading throws TraceError for a value of another type.

template <class T>
json ToJson(const T& value) {
  if constexpr (std::is_same_v<T, json> || std::is_same_v<T, std::string>)
    return value;
  else
    return value ? json(*value) : json();
}

template <class T>
bool IsA(const json& value) {
  if constexpr (std::is_same_v<T, std::string>) return value.is_string();
  if constexpr (std::is_same_v<T, bool>) return value.is_boolean();
  // A number that was not parsed may be signed.
  if constexpr (std::is_same_v<T, std::uint64_t>)
    return value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
  if constexpr (std::is_same_v<T, double>) return value.is_number();
}

[[noreturn]] void FailValue(const char* name) { throw TraceError(std::string(name) + " has another type"); }

template <class T>
void Set(std::optional<T>& to, const json& value, const char* name) {
  to.reset();
  if (value.is_null()) return;
  if (!IsA<T>(value)) FailValue(name);
  to = value.get<T>();
}

void Set(std::string& to, const json& value, const char* name) {
  if (!value.is_string()) FailValue(name);
  to = value.get<std::string>();
}

void Set(json& to, const json& value, const char* name) {
  if (!value.is_object() && !value.is_null()) FailValue(name);
  to = value;
}

// Sets a field of the row from the key of the same name, which must exist.
template <class T>
void Take(std::optional<T>& to, const json& of, const char* key) {
  Set(to, of.at(key), key);
}

void RequireCounts(const json& evaluations) {
  for (const char* kind : {"requested", "computed", "evaluation"})
    if (!IsA<std::uint64_t>(evaluations.at(kind))) FailValue(kind);
}

// The values of an integer column of `table`. Throws TraceError if it is missing or real.
std::span<const std::int64_t> CountsOf(const Table& table, const std::string& name) {
  const Column* column = table.Find(name);
  const auto* counts = column == nullptr ? nullptr : std::get_if<std::vector<std::int64_t>>(&column->values);
  if (counts == nullptr) throw TraceError("a trace has no column '" + name + "' of integers");
  return *counts;
}

// Number of examples over which the mistakes in each row of the table were counted.
std::vector<double> Counted(const Trace& trace, const Table& table) {
  if (trace.provenance.at("counted") == kCountedTraining)
    return std::vector<double>(table.rows(), static_cast<double>(TrainingExamples(trace)));
  const std::span<const std::int64_t> shown =
      CountsOf(table, table.Find("examples") != nullptr ? "examples" : "step");
  return {shown.begin(), shown.end()};
}

}  // namespace

json Row::Json() const {
  json out = other;
  VisitFields(*this, [&](const RowField& field, const auto& value) {
    if (field.stored) out[field.name] = ToJson(value);
  });
  return out;
}

std::optional<std::uint64_t> CostToReach(const Trace& trace, double error) {
  const Table* table = trace.Find("trace");
  // Traces without `counted` do not define the denominator of the average error.
  if (table == nullptr || trace.summary.at("error_rate").is_null() || !trace.provenance.contains("counted") ||
      table->rows() == 0)
    return std::nullopt;
  const std::span<const std::int64_t> mistakes = CountsOf(*table, "mistakes");
  const std::span<const std::int64_t> requested = CountsOf(*table, "kernel_requested");
  const Column* features = table->Find("feature_evaluations");
  const auto* evaluated = features == nullptr ? nullptr : std::get_if<std::vector<double>>(&features->values);
  const std::vector<double> counted = Counted(trace, *table);
  std::optional<std::uint64_t> cost;
  for (std::size_t t = mistakes.size(); t-- > 0;) {
    if (!(static_cast<double>(mistakes[t]) / counted[t] < error)) break;
    cost = static_cast<std::uint64_t>(requested[t]);
    if (evaluated != nullptr) *cost += static_cast<std::uint64_t>((*evaluated)[t]);
  }
  return cost;
}

Row RowOf(const Trace& trace, std::optional<double> target) {
  Row row;
  const json& spec = trace.spec;
  const json& summary = trace.summary;
  const json& provenance = trace.provenance;
  const json& data = spec.at("data");
  row.id = trace.trial_id;
  row.experiment = spec.at("experiment").get<std::string>();
  row.learner = spec.at("learner").get<std::string>();
  row.key = provenance.at("learner_key").get<std::string>();
  row.grid_point = provenance.at("grid_point").get<std::string>();
  row.parameters = spec.at("parameters").get<json::object_t>();
  const json kernel_point = spec.value("kernel_point", json::object());
  for (const auto& [key, value] : kernel_point.items()) row.parameters[kKernelAxis + key] = value;
  if (summary.contains("tuned")) row.parameters.update(summary.at("tuned").at("chosen"));
  row.seed = spec.at("repetition").get<std::uint64_t>();
  Set(row.batch, data.value("batch", json()), "batch");
  if (data.contains("fold")) row.fold = data.at("fold").at("fold").get<std::uint64_t>();
  json setting = spec;
  setting.erase("repetition");
  row.setting = TrialId(setting);
  row.data_set = data.at("name").get<std::string>();
  Take(row.data_digest, data, "digest");
  Take(row.synthetic, provenance, "synthetic");
  Set(row.replacement, provenance.value("replacement", json()), "replacement");
  Take(row.kernel, provenance, "kernel");
  if (target) {
    const auto cost = CostToReach(trace, *target);
    row.cost_to_reach = {{"error", *target}, {"requested", cost ? json(*cost) : json()}};
  }
  Take(row.examples, summary, "examples");
  Take(row.margin_errors, summary, "margin_errors");
  Take(row.error_rate, summary, "error_rate");
  Take(row.test_error, summary, "test_error");
  Take(row.support_vectors, summary, "support_vectors");
  if (!row.support_vectors) FailValue("support_vectors");
  Set(row.kernel_evaluations, summary.at("kernel_evaluations"), "kernel_evaluations");
  RequireCounts(row.kernel_evaluations);
  Set(row.rmse, summary.value("rmse", json()), "rmse");
  Set(row.test_rmse, summary.value("test_rmse", json()), "test_rmse");
  Set(row.counted, summary.value("counted", json()), "counted");
  Set(row.measures, summary.value("measures", json()), "measures");
  Set(row.label, provenance.value("label", json()), "label");
  Take(row.wall_seconds, provenance, "wall_seconds");
  // Older traces lack these.
  Set(row.cpu_seconds, provenance.value("cpu_seconds", json()), "cpu_seconds");
  Set(row.learner_peak_bytes, provenance.value("learner_peak_bytes", json()), "learner_peak_bytes");
  Set(row.kernel_share, provenance.value("kernel_share", json()), "kernel_share");
  row.trace_digest = trace.Digest();
  // Values of a single method or output.
  row.other = summary;
  if (data.contains("delay")) row.other["delay"] = data.at("delay");
  VisitFields(row, [&](const RowField& field, const auto&) { row.other.erase(field.name); });
  return row;
}

Row ParseRow(std::string_view text, json& scratch) {
  ParseJsonInto(text, scratch);
  if (!scratch.is_object()) throw TraceError("not a summary row");
  Row row;
  try {
    VisitFields(row, [&](const RowField& field, auto& value) {
      if (!field.stored) return;
      Set(value, scratch.at(field.name), field.name);
      scratch.erase(field.name);
    });
    RequireCounts(row.kernel_evaluations);
  } catch (const json::exception&) {
    throw TraceError("not a summary row");
  }
  if (row.status != "ok" || !row.id || !row.setting || !row.experiment || !row.learner || !row.key ||
      !row.grid_point || !row.seed || !row.support_vectors || !row.parameters.is_object() ||
      !row.cost_to_reach.is_null())
    throw TraceError("not a summary row");
  row.other = std::move(scratch);
  scratch = json();
  return row;
}

std::string ReproducibleText(const Row& row) {
  json out = row.Json();
  VisitFields(row, [&](const RowField& field, const auto&) {
    if (!field.reproducible) out.erase(field.name);
  });
  for (const char* path : {"/kernel_evaluations", "/tuned/kernel_evaluations"}) {
    const json::json_pointer counts(path);
    if (!out.contains(counts) || !out[counts].is_object()) continue;
    for (const char* key : {"computed", "terms"}) out[counts].erase(key);
  }
  return out.dump();
}

Row RowOf(const PlanEntry& entry, const std::string& experiment, const std::string& status) {
  Row row;
  row.status = status;
  row.id = entry.id;
  row.experiment = experiment;
  row.key = entry.learner_key;
  row.grid_point = entry.grid_point;
  row.seed = entry.repetition;
  row.fold = entry.fold;
  row.data_set = entry.data;
  Set(row.batch, entry.batch, "batch");
  if (entry.content.is_object()) {
    Set(row.label, entry.content.value("label", json()), "label");
    row.parameters = entry.content.at("axes").get<json::object_t>();
    for (const char* name : {"data", "batch", "repetition", "delay"}) row.parameters.erase(name);
    if (entry.content.at("axes").contains("delay")) row.other["delay"] = entry.content.at("axes").at("delay");
  }
  return row;
}

namespace {

Row Without(const std::string& status) {
  Row row;
  row.status = status;
  return row;
}

Row TraceRow(const fs::path& path, const LogFn& log, std::optional<double> target) {
  Trace trace;
  try {
    trace = ReadVerifiedTrace(path.string());
  } catch (const TraceError& error) {
    log(error.what());
    return Without("corrupt");
  }
  try {
    return RowOf(trace, target);
  } catch (const json::exception&) {
    log(path.string() + ": not the trace of a trial: its spec, summary or provenance is incomplete");
  } catch (const TraceError& error) {
    log(path.string() + ": not the trace of a trial: " + error.what());
  }
  return Without("corrupt");
}

Row FailureRow(const fs::path& path, const LogFn& log) try {
  const json record = ReadJson(path);
  Row row = Without("failed: " + record.at("kind").get<std::string>());
  Take(row.experiment, record, "experiment");
  Take(row.learner, record, "learner");
  Set(row.parameters, record.at("parameters"), "parameters");
  Take(row.data_set, record, "data_set");
  Take(row.synthetic, record, "synthetic");
  Take(row.seed, record, "repetition");
  // Optional: records of other programs may lack these keys.
  Set(row.id, record.value("trial_id", json()), "trial_id");
  Set(row.key, record.value("learner_key", json()), "learner_key");
  Set(row.grid_point, record.value("grid_point", json()), "grid_point");
  Set(row.batch, record.value("batch", json()), "batch");
  Set(row.fold, record.value("fold", json()), "fold");
  log(record.at("name").get<std::string>() + ": " + record.at("message").get<std::string>());
  return row;
} catch (const json::exception&) {
  throw TraceError(path.string() + ": not a valid failure record");
} catch (const TraceError& error) {
  throw TraceError(path.string() + ": not a valid failure record: " + error.what());
}

}  // namespace

Row RowOfFile(const fs::path& file, const LogFn& log, std::optional<double> target) {
  if (IsFailureRecord(file)) return FailureRow(file, log);
  return HasTrace(file) ? TraceRow(file, log, target) : FailureRow(FailureFile(file), log);
}

}  // namespace okbench
