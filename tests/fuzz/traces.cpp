#include <algorithm>

#include "base/error.h"
#include "base/sha256.h"
#include "harness/system/json_file.h"
#include "harness/trace/trace_content.h"
#include "harness/trace/trace_file.h"
#include "harness/trace/trace_image.h"
#include "tests/fuzz/harness.h"
#include "tests/harness/sample_trace.h"

namespace okbench::fuzz {
namespace {

// The bytes as a file. HDF5 itself is not fuzzed: ParseTrace verifies the digest of the file before
// HDF5 parses a byte (docs/explanation/threat-model.md).
void ReadAnyTrace(std::string_view bytes) {
  Documented([&] { ParseTrace(bytes, "t.h5"); });
}

std::vector<std::string> SomeTraces() {
  const std::string image = MakeImage(testing::SampleTrace());
  std::string block = "okbench-trace 2\n" + Sha256Hex(image) + "\n";
  block.resize(512, '\0');
  return {block + image, block};
}

// Texts of a trace, separated by line ends: spec, summary, provenance, id.
void ReadAnyContent(std::string_view bytes) {
  TraceContent content;
  for (std::string* text : {&content.spec, &content.summary, &content.provenance, &content.trial_id}) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    *text = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  content.trace_digest = Trace{}.Digest();
  content.content_digest = ContentDigest(content);
  Documented([&] {
    const Trace trace = TraceOf(std::move(content));
    trace.ComparableJson().dump();
  });
}

std::vector<std::string> SomeContents() {
  const Trace sample = testing::SampleTrace();
  return {sample.spec.dump() + "\n" + sample.summary.dump() + "\n" + sample.provenance.dump() + "\n" +
          sample.trial_id};
}

}  // namespace

Harness Traces() { return {"traces", ReadAnyTrace, SomeTraces, {"okbench-trace 2\n"}}; }

Harness Contents() { return {"contents", ReadAnyContent, SomeContents, {"\n{}", "[[[[", "\"summary\""}}; }

}  // namespace okbench::fuzz
