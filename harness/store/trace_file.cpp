#include "harness/store/trace_file.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "datasets/sha256.h"
#include "datasets/whole_file.h"
#include "harness/store/atomic_file.h"
#include "harness/store/trace_image.h"
#include "learners/core/error.h"

namespace okbench {
namespace {

// The user block of the HDF5 file: "okbench-trace 2\n", 64 hexadecimal digits, "\n", zeros up to 512 bytes.
constexpr std::string_view kMagic = "okbench-trace 2\n";
constexpr std::size_t kBlock = 512;

std::string BlockFor(std::string_view image) {
  std::string block = std::string(kMagic) + Sha256Hex(image) + "\n";
  block.resize(kBlock, '\0');
  return block;
}

}  // namespace

std::string ReadBytes(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) throw TraceError(path + ": no such trace file");
  return WholeFile<TraceError>(path);
}

void WriteTrace(const std::string& path, const Trace& trace) {
  std::string bytes;
  try {
    const std::string image = MakeImage(trace);
    bytes = BlockFor(image) + image;
  } catch (const TraceError& error) {
    throw TraceError(path + ": " + error.what());
  }
  WriteFileAtomically(path, bytes.data(), bytes.size());
}

Trace ParseTrace(std::string_view bytes, const std::string& path) {
  const auto fail = [&](const std::string& cause) {
    throw TraceError(path + ": not a valid trace file: " + cause);
  };
  if (!bytes.starts_with(kMagic)) fail("it does not start with the magic number");
  if (bytes.size() <= kBlock) fail("it is truncated");
  const std::string_view image = bytes.substr(kBlock);
  if (bytes.substr(0, kBlock) != BlockFor(image)) fail("its bytes are not those that were written");
  try {
    return ParseImage(image);
  } catch (const TraceError& error) {
    fail(error.what());
    throw;
  }
}

Trace ReadTrace(const std::string& path) { return ParseTrace(ReadBytes(path), path); }

}  // namespace okbench
