#pragma once
// SHA-256 and MD5 digests (OpenSSL).

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace okbench {

/// Incremental SHA-256. Not thread-safe.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  void Update(const void* bytes, std::size_t count);
  void Update(std::string_view text) { Update(text.data(), text.size()); }
  /// Returns the digest as 64 hexadecimal digits. REQUIRES: called at most once, after all updates.
  std::string Hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Returns the SHA-256 of `bytes` as 64 hexadecimal digits.
std::string Sha256Hex(std::string_view bytes);

/// Returns the SHA-256 of a file as stored, without decompression. Throws DataError if it cannot be read.
std::string Sha256OfFile(const std::string& path);

/// Returns the MD5 of a file as stored, 32 hexadecimal digits, for publishers that give no other digest.
/// Throws DataError if it cannot be read.
std::string Md5OfFile(const std::string& path);

}  // namespace okbench
