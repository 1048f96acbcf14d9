#include "base/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <random>
#include <utility>

#include "base/error.h"
#include "base/platform.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;

// ".tmp-HOST-NAMESPACE-", to which the process id and a random number are appended. Host and namespace of the
// process ids are included because several machines and containers may write to the same file system.
std::string TemporaryMark() {
  char host[256] = "";
  gethostname(host, sizeof(host) - 1);
  return std::string(".tmp-") + host + "-" + ProcessNamespace() + "-";
}

// Creates a temporary file beside `path` that no other process has. Returns its name and descriptor, or a
// negative descriptor with errno.
std::pair<std::string, int> CreateTemporary(const std::string& path) {
  const std::string start = path + TemporaryMark() + std::to_string(getpid()) + "-";
  std::random_device random;
  for (;;) {
    const std::string name = start + std::to_string(random());
    const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file >= 0 || errno != EEXIST) return {name, file};
  }
}

// Flushes a folder, so that the names in it survive a power failure. Returns 0 or an errno.
// Returns 0 for a file system without fsync on folders and for a folder without read permission.
int SyncFolder(const fs::path& folder) {
  const int directory = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return errno == EACCES ? 0 : errno;
  int cause = fsync(directory) == 0 ? 0 : errno;
  if (cause == EINVAL || cause == ENOTSUP || cause == EROFS) cause = 0;
  close(directory);
  return cause;
}

}  // namespace

void WriteFileAtomically(const std::string& path, const void* bytes, std::size_t count) {
  const auto [temporary, file] = CreateTemporary(path);
  const auto fail = [&, &temporary = temporary](const char* what) {
    const std::string cause = std::strerror(errno);
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw TraceError(path + ": cannot " + what + ": " + cause);
  };
  if (file < 0) fail("be created");
  const char* at = static_cast<const char*>(bytes);
  for (std::size_t left = count; left > 0;) {
    const ssize_t written = write(file, at, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int cause = errno;
      close(file);
      errno = cause;
      fail("be written");
    }
    at += written;
    left -= static_cast<std::size_t>(written);
  }
  const bool flushed = fsync(file) == 0;
  if (close(file) != 0 || !flushed) fail("be flushed");
  if (std::rename(temporary.c_str(), path.c_str()) != 0) fail("be renamed");
  if (const int cause = SyncFolder(fs::path(path).parent_path()))
    throw TraceError(path + ": its folder cannot be flushed: " + std::strerror(cause));
}

void MakeFolders(const fs::path& folder) {
  std::error_code error;
  if (folder.empty() || fs::is_directory(folder, error)) return;
  const fs::path above = folder.parent_path();
  MakeFolders(above);
  // create_directory returns false without an error when another process created the folder first, or when
  // the path ends in a slash.
  if (fs::create_directory(folder, error)) error.assign(SyncFolder(above), std::generic_category());
  if (error) throw TraceError(folder.string() + ": cannot be created: " + error.message());
}

void RemoveLeftovers(const fs::path& folder) {
  const std::string sign = TemporaryMark();
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const std::size_t mark = name.rfind(sign);
    if (mark == std::string::npos) continue;
    pid_t process = 0;
    const char* end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + mark + sign.size(), end, process);
    if (error != std::errc() || stop == end || *stop != '-' || process <= 0) continue;
    if (kill(process, 0) != 0 && errno == ESRCH) fs::remove(entry.path());
  }
}

}  // namespace okbench
