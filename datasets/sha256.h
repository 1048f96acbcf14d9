#pragma once
// SHA-256 digests (OpenSSL).

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace okbench {

/// Incremental digest. Not thread-safe.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  void Update(const void* bytes, std::size_t count);
  void Update(std::string_view text) { Update(text.data(), text.size()); }
  /// 64 hexadecimal digits; call once.
  std::string Hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string Sha256Hex(std::string_view bytes);

/// Of a file as it lies there. Throws DataError when it cannot be read.
std::string Sha256OfFile(const std::string& path);

/// MD5, 32 hexadecimal digits, for files whose publisher tells no other digest. Throws likewise.
std::string Md5OfFile(const std::string& path);

}  // namespace okbench
