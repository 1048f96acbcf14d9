#include "datasets/sha256.h"

// The newer interface allocates, and crashes where that fails.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include <array>
#include <fstream>

#include "datasets/error.h"

namespace okbench {

struct Sha256::State {
  SHA256_CTX context;
};

// These cannot fail.
Sha256::Sha256() : state_(std::make_unique<State>()) { SHA256_Init(&state_->context); }

Sha256::~Sha256() = default;

void Sha256::Update(const void* bytes, std::size_t count) { SHA256_Update(&state_->context, bytes, count); }

std::string Sha256::Hex() {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256_Final(digest.data(), &state_->context);
  static const char* const kHex = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : digest) {
    text += kHex[byte >> 4];
    text += kHex[byte & 15];
  }
  return text;
}

std::string Sha256Hex(std::string_view bytes) {
  Sha256 digest;
  digest.Update(bytes);
  return digest.Hex();
}

std::string Sha256OfFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Sha256 digest;
  std::string chunk(1 << 20, '\0');
  while (file) {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    digest.Update(chunk.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof()) throw DataError(path, 0, 0, "cannot be read");
  return digest.Hex();
}

}  // namespace okbench
