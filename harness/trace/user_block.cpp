#include "harness/trace/user_block.h"

#include "base/error.h"
#include "base/sha256.h"

namespace okbench {
namespace {

constexpr std::size_t kBlock = 512;

std::string BlockFor(std::string_view magic, std::string_view image) {
  std::string block = std::string(magic) + Sha256Hex(image) + "\n";
  block.resize(kBlock, '\0');
  return block;
}

}  // namespace

std::string WithUserBlock(std::string_view magic, std::string_view image) {
  std::string bytes = BlockFor(magic, image);
  bytes.append(image);
  return bytes;
}

std::string_view VerifiedImage(std::string_view magic, std::string_view bytes) {
  if (!bytes.starts_with(magic)) throw TraceError("it does not start with the magic number");
  if (bytes.size() <= kBlock) throw TraceError("it is truncated");
  const std::string_view image = bytes.substr(kBlock);
  if (bytes.substr(0, kBlock) != BlockFor(magic, image))
    throw TraceError("its bytes do not match its digest");
  return image;
}

}  // namespace okbench
