#include "base/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>

namespace okbench {
namespace {

// Returns errno as an error code. Throws std::bad_alloc for ENOMEM.
std::error_code LastError() {
  if (errno == ENOMEM) throw std::bad_alloc();
  return {errno, std::generic_category()};
}

// Owns a file descriptor.
class Opened {
 public:
  explicit Opened(const std::string& path) : number_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Opened() {
    if (number_ >= 0) close(number_);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

std::error_code ReadWhole(const std::string& path, std::string& bytes) {
  constexpr std::size_t kMin = 1 << 12;
  bytes.clear();
  const Opened file(path);
  if (file.number() < 0) return LastError();
  struct stat about {};
  if (fstat(file.number(), &about) != 0) return LastError();
  // The size is only a hint: files in /proc report 0, and a file may grow.
  std::size_t filled = 0;
  bytes.resize(std::max<std::size_t>(kMin, static_cast<std::size_t>(std::max<off_t>(about.st_size, 0)) + 1));
  while (true) {
    if (filled == bytes.size()) bytes.resize(2 * bytes.size());
    const ssize_t got = read(file.number(), bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return LastError();
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  bytes.resize(filled);
  return {};
}

}  // namespace okbench
