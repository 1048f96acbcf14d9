#include "base/sha256.h"

// The EVP interface allocates memory and crashes if that fails.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/md5.h>
#include <openssl/sha.h>

#include <array>
#include <fstream>

#include "base/error.h"

namespace okbench {
namespace {

template <std::size_t kBytes>
std::string HexText(const std::array<unsigned char, kBytes>& digest) {
  static const char* const kHex = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : digest) {
    text += kHex[byte >> 4];
    text += kHex[byte & 15];
  }
  return text;
}

// Calls visit(bytes, count) for consecutive chunks of a file.
template <class Visit>
void ForEachChunk(const std::string& path, const Visit& visit) {
  std::ifstream file(path, std::ios::binary);
  std::string chunk(1 << 20, '\0');
  while (file) {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    visit(chunk.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof()) throw DataError(path, 0, 0, "cannot be read");
}

}  // namespace

struct Sha256::State {
  SHA256_CTX context;
};

// SHA256_Init(), SHA256_Update() and SHA256_Final() cannot fail.
Sha256::Sha256() : state_(std::make_unique<State>()) { SHA256_Init(&state_->context); }

Sha256::~Sha256() = default;

void Sha256::Update(const void* bytes, std::size_t count) { SHA256_Update(&state_->context, bytes, count); }

std::string Sha256::Hex() {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256_Final(digest.data(), &state_->context);
  return HexText(digest);
}

std::string Sha256Hex(std::string_view bytes) {
  Sha256 digest;
  digest.Update(bytes);
  return digest.Hex();
}

std::string Sha256OfFile(const std::string& path) {
  Sha256 digest;
  ForEachChunk(path, [&](const char* bytes, std::size_t count) { digest.Update(bytes, count); });
  return digest.Hex();
}

std::string Md5OfFile(const std::string& path) {
  MD5_CTX context;
  MD5_Init(&context);
  ForEachChunk(path, [&](const char* bytes, std::size_t count) { MD5_Update(&context, bytes, count); });
  std::array<unsigned char, MD5_DIGEST_LENGTH> digest{};
  MD5_Final(digest.data(), &context);
  return HexText(digest);
}

}  // namespace okbench
