#include "harness/store/trace_content.h"

#include <charconv>
#include <cstring>
#include <utility>

#include "datasets/sha256.h"
#include "harness/store/json_file.h"
#include "harness/system/error.h"

namespace okbench {
namespace {

// Over the texts as they stand in the file.
std::string ContentDigest(const TraceContent& content) {
  return Sha256Hex(content.spec + "\n" + content.summary + "\n" + content.trial_id + "\n" +
                   content.trace_digest);
}

// Parts one after the other, each behind its size.
void Put(std::string& out, const void* part, std::uint64_t size) {
  out.append(reinterpret_cast<const char*>(&size), sizeof(size));  // NOLINT: as it lies in memory
  if (size > 0) out.append(static_cast<const char*>(part), size);
}

void Put(std::string& out, std::string_view text) { Put(out, text.data(), text.size()); }

// A process that broken bytes have misled may answer anything.
[[noreturn]] void FailUnpacking() { throw TraceError("its content cannot be taken apart"); }

std::string_view Take(std::string_view& in) {
  std::uint64_t size = 0;
  if (in.size() < sizeof(size)) FailUnpacking();
  std::memcpy(&size, in.data(), sizeof(size));
  if (size > in.size() - sizeof(size)) FailUnpacking();
  const std::string_view part = in.substr(sizeof(size), size);
  in.remove_prefix(sizeof(size) + size);
  return part;
}

template <class T>
std::vector<T> TakeValues(std::string_view& in) {
  const std::string_view part = Take(in);
  std::vector<T> values(part.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), part.data(), values.size() * sizeof(T));
  return values;
}

// How many columns: each has four parts, and before each stands its size.
std::size_t TakeColumns(std::string_view& in) {
  constexpr std::size_t kLeast = 4 * sizeof(std::uint64_t);
  const std::string_view digits = Take(in);
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error != std::errc() || end != digits.data() + digits.size() || count > in.size() / kLeast)
    FailUnpacking();
  return count;
}

// What nests deeper than anything we write would take the stack of whoever copies it.
nlohmann::json Parsed(const std::string& text) {
  nlohmann::json value = ParseJson(text);
  if (value.is_discarded()) throw TraceError("its content is damaged");
  return value;
}

// What all who look into a trace count on.
void RequireShape(const TraceContent& content) {
  for (const char c : content.trial_id)
    if (c < ' ' || c > '~') throw TraceError("its id is no plain text");
  for (const Table& table : content.tables)
    for (const Column& column : table.columns)
      if (column.size() != table.rows()) throw TraceError("columns of a table are not of one length");
}

// Each text of a content, in the order of the bytes.
template <class Content, class Visit>
void VisitTexts(Content& content, const Visit& visit) {
  for (auto* text : {&content.trial_id, &content.spec, &content.summary, &content.provenance,
                     &content.trace_digest, &content.content_digest})
    visit(*text);
}

}  // namespace

TraceContent ContentOf(const Trace& trace, std::int64_t format) {
  TraceContent content{.trial_id = trace.trial_id,
                       .spec = trace.spec.dump(),
                       .summary = trace.summary.dump(),
                       .provenance = trace.provenance.dump(),
                       .trace_digest = trace.Digest(),
                       .content_digest = "",
                       .tables = trace.tables};
  if (format > 1) content.content_digest = ContentDigest(content);
  return content;
}

Trace TraceOf(TraceContent content, std::int64_t format) {
  RequireShape(content);
  Trace trace{.tables = std::move(content.tables),
              .spec = Parsed(content.spec),
              .summary = Parsed(content.summary),
              .provenance = Parsed(content.provenance),
              .trial_id = content.trial_id};
  if (trace.Digest() != content.trace_digest) throw TraceError("its digest does not match its columns");
  if (format > 1 && ContentDigest(content) != content.content_digest)
    throw TraceError("its digest does not match its spec, summary and id");
  return trace;
}

std::string Pack(const TraceContent& content) {
  std::string out;
  VisitTexts(content, [&out](const std::string& text) { Put(out, text); });
  for (const Table& table : content.tables) {
    Put(out, table.name);
    Put(out, std::to_string(table.columns.size()));
    for (const Column& column : table.columns) {
      Put(out, column.name);
      Put(out, column.deterministic ? "yes" : "no");
      Put(out, std::holds_alternative<std::vector<double>>(column.values) ? "real" : "whole");
      std::visit([&out](const auto& v) { Put(out, v.data(), v.size() * sizeof(v[0])); }, column.values);
    }
  }
  return out;
}

TraceContent Unpack(std::string_view bytes) {
  TraceContent content;
  VisitTexts(content, [&bytes](std::string& text) { text = Take(bytes); });
  while (!bytes.empty()) {
    Table& table = content.tables.emplace_back();
    table.name = Take(bytes);
    table.columns.resize(TakeColumns(bytes));
    for (Column& column : table.columns) {
      column.name = Take(bytes);
      column.deterministic = Take(bytes) == "yes";
      if (Take(bytes) == "real")
        column.values = TakeValues<double>(bytes);
      else
        column.values = TakeValues<std::int64_t>(bytes);
    }
  }
  return content;
}

}  // namespace okbench
