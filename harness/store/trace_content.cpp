#include "harness/store/trace_content.h"

#include <utility>

#include "datasets/sha256.h"
#include "harness/store/json_file.h"
#include "learners/core/error.h"

namespace okbench {
namespace {

// What nests deeper than anything we write would take the stack of whoever copies it.
nlohmann::json Parsed(const std::string& text) {
  nlohmann::json value = ParseJson(text);
  if (value.is_discarded()) throw TraceError("its content is damaged");
  return value;
}

// Checks what every reader of a trace relies on. Throws TraceError.
void RequireShape(const TraceContent& content) {
  for (const char c : content.trial_id)
    if (c < ' ' || c > '~') throw TraceError("its id is not printable ASCII text");
  for (const Table& table : content.tables)
    for (const Column& column : table.columns)
      if (column.size() != table.rows()) throw TraceError("its columns differ in length");
}

}  // namespace

std::string ContentDigest(const TraceContent& content) {
  return Sha256Hex(content.spec + "\n" + content.summary + "\n" + content.trial_id + "\n" +
                   content.trace_digest);
}

TraceContent ContentOf(const Trace& trace) {
  TraceContent content{.trial_id = trace.trial_id,
                       .spec = trace.spec.dump(),
                       .summary = trace.summary.dump(),
                       .provenance = trace.provenance.dump(),
                       .trace_digest = trace.Digest(),
                       .content_digest = "",
                       .tables = trace.tables};
  content.content_digest = ContentDigest(content);
  return content;
}

Trace TraceOf(TraceContent content) {
  RequireShape(content);
  Trace trace{.tables = std::move(content.tables),
              .spec = Parsed(content.spec),
              .summary = Parsed(content.summary),
              .provenance = Parsed(content.provenance),
              .trial_id = content.trial_id};
  if (trace.Digest() != content.trace_digest) throw TraceError("its digest does not match its columns");
  if (ContentDigest(content) != content.content_digest)
    throw TraceError("its digest does not match its spec, summary and id");
  return trace;
}

}  // namespace okbench
