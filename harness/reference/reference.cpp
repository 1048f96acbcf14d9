#include "harness/reference/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/error.h"
#include "learners/api/registry.h"

namespace okbench {
namespace {

using nlohmann::json;

// Values are stored for the first rows, then for rows whose numbers grow by a factor, and for the last row.
constexpr std::size_t kFirstRows = 12;
constexpr double kGrowth = 1.25;
constexpr std::size_t kMaxHashes = 2048;  // per table; longer tables are hashed in blocks of rows

#if defined(__x86_64__)
constexpr const char* kProcessor = "x86-64";
#elif defined(__aarch64__)
constexpr const char* kProcessor = "arm64";
#else
constexpr const char* kProcessor = "other";
#endif

// LearnerInfo::library; empty for a learner that this program does not contain.
std::string LibraryOf(const Trace& trace) {
  const json& learner = trace.spec.at("learner");
  for (const LearnerInfo& info : Learners())
    if (learner == info.name) return info.library;
  return "";
}

// Numbers of the rows whose values a reference stores.
std::vector<std::size_t> KeptRows(std::size_t rows) {
  std::vector<std::size_t> kept;
  for (std::size_t row = 0; row < rows;
       row = row < kFirstRows ? row + 1 : static_cast<std::size_t>(static_cast<double>(row) * kGrowth))
    kept.push_back(row);
  if (!kept.empty() && kept.back() + 1 < rows) kept.push_back(rows - 1);
  return kept;
}

std::uint64_t Bits(const Column& column, std::size_t row) {
  if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&column.values))
    return static_cast<std::uint64_t>((*whole)[row]);
  return std::bit_cast<std::uint64_t>(std::get<std::vector<double>>(column.values)[row]);
}

// Rows per hash.
std::size_t BlockOf(std::size_t rows) {
  return std::max<std::size_t>(1, (rows + kMaxHashes - 1) / kMaxHashes);
}

// One hash per block of rows, as 4 hexadecimal digits each: 64-bit FNV-1a over the deterministic values,
// folded to 16 bits. The hashes locate a difference; the digest decides whether there is one.
std::string RowHashes(const Table& table) {
  std::string text;
  const std::size_t block = BlockOf(table.rows());
  for (std::size_t first = 0; first < table.rows(); first += block) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (std::size_t row = first; row < std::min(first + block, table.rows()); ++row)
      for (const Column& column : table.columns) {
        if (!column.deterministic) continue;
        std::uint64_t bits = Bits(column, row);
        for (int byte = 0; byte < 8; ++byte, bits >>= 8) hash = (hash ^ (bits & 0xff)) * 0x100000001b3U;
      }
    text += fmt::format("{:04x}", (hash ^ hash >> 16 ^ hash >> 32 ^ hash >> 48) & 0xffff);
  }
  return text;
}

json Value(const Column& column, std::size_t row) {
  return std::visit([row](const auto& v) { return json(v[row]); }, column.values);
}

// {"step": 12} for a table with a column "step" other than "listed", else {"row": 12}.
json PlaceOf(const Table& table, std::size_t row) {
  const Column* step = table.Find("step");
  return step != nullptr && table.name != "listed" ? json{{"step", Value(*step, row)}} : json{{"row", row}};
}

// A place as text: "step 12".
std::string Words(const json& place) { return place.begin().key() + " " + place.begin()->dump(); }

// Names of the deterministic columns, separated by commas.
std::string Names(const Table& table) {
  std::string names;
  for (const Column& column : table.columns)
    if (column.deterministic) names += (names.empty() ? "" : ", ") + column.name;
  return names;
}

json TableReference(const Table& table) {
  const std::vector<std::size_t> kept = KeptRows(table.rows());
  json values = json::object();
  for (const Column& column : table.columns) {
    if (!column.deterministic) continue;
    json list = json::array();
    for (const std::size_t row : kept) list.push_back(Value(column, row));
    values[column.name] = std::move(list);
  }
  return {{"rows", table.rows()},
          {"columns", Names(table)},
          {"hashes", RowHashes(table)},
          {"kept", kept},
          {"values", std::move(values)}};
}

// Reads a row number or row count. Throws TraceError unless it is a non-negative integer, because
// json::get would convert any other number silently.
std::size_t RowNumber(const json& value) {
  if (!value.is_number_unsigned()) throw TraceError("not a valid reference: a row number is not an integer");
  return value.get<std::size_t>();
}

// The first difference in the stored rows at or after `first`; null if there is none.
json FirstKeptDifference(const json& reference, const Table& table, std::size_t first) {
  const auto& kept = reference.at("kept");
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const std::size_t row = RowNumber(kept[k]);
    if (row < first || row >= table.rows()) continue;
    for (const Column& column : table.columns) {
      if (!column.deterministic) continue;
      const json& then = reference.at("values").at(column.name).at(k);
      const json now = Value(column, row);
      // Compared as text: NaN becomes null on both sides.
      if (then.dump() != now.dump())
        return {{"column", column.name}, {"at", PlaceOf(table, row)}, {"before", then}, {"after", now}};
    }
  }
  return nullptr;
}

// Adds the differences of one table to `difference`.
void CompareTable(const json& reference, const Table& table, ReferenceDifference& difference) {
  if (reference.at("columns") != Names(table)) {
    difference.lines.push_back(fmt::format("{}: columns {}; {} in the reference", table.name, Names(table),
                                           reference.at("columns").get<std::string>()));
    return;
  }
  const std::size_t rows = RowNumber(reference.at("rows"));
  const std::string then = reference.at("hashes"), now = RowHashes(table);
  if (then == now && rows == table.rows()) return;
  std::size_t at = 0;
  if (BlockOf(rows) == BlockOf(table.rows()))
    while (at + 4 <= then.size() && at + 4 <= now.size() && then.compare(at, 4, now, at, 4) == 0) at += 4;
  const std::size_t first = at / 4 * BlockOf(table.rows());
  if (first >= table.rows() || first >= rows) {
    difference.lines.push_back(
        fmt::format("{}: {} rows, {} in the reference", table.name, table.rows(), rows));
    return;
  }
  const json place = PlaceOf(table, first), value = FirstKeptDifference(reference, table, first);
  std::string text = fmt::format("{}: differs first at {}", table.name, Words(place));
  if (!value.is_null())
    text +=
        fmt::format(": column {} has {} at {}, {} in the reference", value.at("column").get<std::string>(),
                    value.at("after").dump(), Words(value.at("at")), value.at("before").dump());
  difference.lines.push_back(text);
  if (!difference.first.is_null()) return;
  difference.first = {{"table", table.name}, {"value", value}};
  difference.first.update(place);
}

}  // namespace

std::string LibraryIfOtherArchitecture(const json& reference, const Trace& trace) {
  const bool same = !reference.contains("processor") || reference.at("processor") == kProcessor;
  return same ? "" : LibraryOf(trace);
}

json MakeReference(const Trace& trace) {
  json tables = json::object();
  for (const Table& table : trace.tables) tables[table.name] = TableReference(table);
  json reference = {{"learner", trace.spec.at("learner")},
                    {"revisions", trace.spec.at("revisions")},
                    {"digest", trace.Digest()},
                    {"summary", trace.summary},
                    {"tables", std::move(tables)}};
  if (!LibraryOf(trace).empty()) reference["processor"] = kProcessor;
  return reference;
}

ReferenceDifference CompareWithReference(const json& reference, const Trace& trace) try {
  ReferenceDifference difference;
  std::vector<std::string>& differences = difference.lines;
  if (reference.at("digest") != trace.Digest()) {
    for (const auto& [name, table] : reference.at("tables").items())
      if (trace.Find(name) == nullptr) differences.push_back("table " + name + " is missing");
    for (const Table& table : trace.tables) {
      if (!reference.at("tables").contains(table.name))
        differences.push_back("table " + table.name + " is new");
      else
        CompareTable(reference.at("tables").at(table.name), table, difference);
    }
    if (differences.empty()) differences.emplace_back("its digest differs");
    if (reference.value("revisions", json()) == trace.spec.at("revisions"))
      differences.emplace_back(
          "no revision was raised: if code of okbench changed, raise its revision, or stale results count as "
          "valid (docs/howto/change-a-reference.md)");
  }
  const json revisions = reference.value("revisions", json());
  if (revisions != trace.spec.at("revisions"))
    differences.push_back(fmt::format("revisions: {}, {} in the reference", trace.spec.at("revisions").dump(),
                                      revisions.is_null() ? "absent" : revisions.dump()));
  // Flattened, so that each message names one number. Counts of kernel evaluations must be equal, too.
  const json then = reference.at("summary").flatten(), now = trace.summary.flatten();
  for (const auto& [key, value] : now.items())
    if (!then.contains(key) || then.at(key) != value)
      differences.push_back(fmt::format("summary{}: {}, {} in the reference", key, value.dump(),
                                        then.contains(key) ? then.at(key).dump() : "absent"));
  for (const auto& [key, value] : then.items())
    if (!now.contains(key))
      differences.push_back(fmt::format("summary{}: absent, {} in the reference", key, value.dump()));
  return difference;
} catch (const json::exception& error) {
  throw TraceError(std::string("not a valid reference: ") + error.what());
}

}  // namespace okbench
