#include <stdexcept>

#include "datasets/sha256.h"
#include "harness/store/json_file.h"
#include "harness/store/trace_content.h"
#include "harness/store/trace_file.h"
#include "harness/store/trace_image.h"
#include "learners/core/error.h"
#include "tests/fuzz/harness.h"
#include "tests/harness/sample_trace.h"

namespace okbench::fuzz {
namespace {

// One letter: f, and the digest is made to fit; 1, a file of format 1; else as it is.
void ReadAnyTrace(std::string_view bytes) {
  const char how = bytes.empty() ? '\0' : bytes[0];
  const std::string_view file = bytes.substr(bytes.empty() ? 0 : 1);
  if (how == '1') {
    Documented([&] { ParseImage(file, 1); });
    return;
  }
  std::string block = "okbench-trace 2\n" + Sha256Hex(file) + "\n";
  block.resize(512, '\0');
  const std::string whole = (how == 'f' ? block : "") + std::string(file);
  Documented([&] { ParseTrace(whole, "t.h5"); });
}

std::vector<std::string> SomeTraces() {
  const Trace sample = testing::SampleTrace();
  const std::string image = MakeImage(sample);
  std::string block = "okbench-trace 2\n" + Sha256Hex(image) + "\n";
  block.resize(512, '\0');
  return {"f" + image, "w" + block + image, "1" + MakeImage(sample, 1)};
}

// As another process packs it: what a broken one says, too.
void ReadAnyContent(std::string_view bytes) {
  for (const std::int64_t format : {1, 2})
    Documented([&] {
      const Trace trace = TraceOf(Unpack(bytes), format);
      trace.Facts().dump();
    });
}

std::vector<std::string> SomeContents() {
  const Trace sample = testing::SampleTrace();
  return {Pack(ContentOf(sample, 1)), Pack(ContentOf(sample, 2)), Pack(ContentOf(Trace{}, 2))};
}

}  // namespace

Harness Traces() {
  return {"traces",
          ReadAnyTrace,
          SomeTraces,
          {"okbench-trace 2\n", "\x89HDF\r\n\x1a\n", "TREE", "HEAP", "SNOD", "OHDR"}};
}

Harness Contents() {
  return {"contents", ReadAnyContent, SomeContents, {"real", "whole", "yes", "18446744073709551615"}};
}

}  // namespace okbench::fuzz
