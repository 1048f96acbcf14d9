#include "harness/system/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace okbench {

void OpenStandardStreams() noexcept {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    // open() returns the lowest free descriptor, which is `number`. The access mode is the opposite of the
    // usual one, so that every read or write fails.
    if (fcntl(number, F_GETFD) < 0 && errno == EBADF &&
        open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY) != number)
      _exit(1);
}

void FlushOutput() {
  const bool failed_before = std::ferror(stdout) != 0;
  errno = 0;
  if (std::fflush(stdout) == 0 && !failed_before) return;
  throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(),
                          "cannot write to standard output");
}

}  // namespace okbench
