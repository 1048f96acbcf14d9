#include "harness/trace/trace_content.h"

#include <utility>

#include "base/error.h"
#include "base/sha256.h"
#include "harness/system/json_file.h"

namespace okbench {
namespace {

// Whether a text in UTF-8 has a control character (C0, DEL or C1), which a terminal would interpret.
bool HasControl(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool c1 = byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F || c1) return true;
  }
  return false;
}

// Throws TraceError for a text with control characters.
void RequirePrintable(const nlohmann::json& value) {
  if (value.is_string() && HasControl(value.get_ref<const std::string&>()))
    throw TraceError("its texts contain control characters");
  if (value.is_structured())
    for (const nlohmann::json& part : value) RequirePrintable(part);
}

// Rejects JSON that nests deeper than ParseJson allows, because copying it would overflow the stack.
nlohmann::json Parsed(const std::string& text) {
  nlohmann::json value = ParseJson(text);
  if (value.is_discarded()) throw TraceError("its content is damaged");
  RequirePrintable(value);
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
  content.provenance_digest = Sha256Hex(content.provenance);
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
  if (!content.provenance_digest.empty() && Sha256Hex(content.provenance) != content.provenance_digest)
    throw TraceError("its digest does not match its provenance");
  return trace;
}

}  // namespace okbench
