#pragma once
// Work in a process of its own, for libraries that end the process or break its memory.

#include <sys/types.h>

#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace okbench {

/// What contained work throws, or how its process ended.
class ContainedError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct ContainedOptions {
  /// Of processor time that an answer may take, since a forged file may lead in circles; 0: any.
  std::int32_t most_seconds = 120;
  /// False: only in a program whose `main` calls ServeContained. One that loads or links our libraries would
  /// be started again, to do what it does; the work is done in its process.
  bool in_libraries = true;
};

/// Does one kind of work in a second process of this program, started at the first call. HDF5, libarchive and
/// LIBLINEAR call exit, or break the heap, when an allocation fails or a forged file misleads them: that ends
/// the second process only, and the next call starts another. Calls may come from any thread and take turns.
/// The program is started afresh (posix_spawn), since a fork has whatever locks other threads held; it has
/// one thread, and forks workers: each answers until it meets an error, which may have broken it. Objects are
/// global, so that the second process has them, too, and their programs call ServeContained. A process that
/// is forked has a second one of its own.
class Contained {
 public:
  /// `work` makes an answer of a request; it sees one thread.
  using Work = std::string (*)(std::string_view request);
  /// `library` is named where its process ends; no two objects have the same.
  Contained(const char* library, Work work, const ContainedOptions& options = {}) noexcept;
  ~Contained() { Stop(); }
  Contained(const Contained&) = delete;
  Contained& operator=(const Contained&) = delete;

  /// The answer. Throws ContainedError with the message of an exception that the work throws, or telling how
  /// the process ended; std::bad_alloc where memory is short.
  std::string Ask(std::string_view request);
  /// False: Ask does the work in this process. What is done there without Ask has to take turns by itself.
  bool IsApart() const noexcept;

 private:
  friend void ServeContained(const std::string& kind, const std::string& library) noexcept;
  void LeaveInherited() noexcept;
  void Start();
  int Stop() noexcept;
  std::string AskProcess(std::string_view request);

  const char* library_;
  Work work_;
  ContainedOptions options_;
  std::mutex mutex_;
  pid_t process_ = 0, owner_ = 0;  // whom it was started by
  int socket_ = -1;
  Contained* next_;  // of all there are
};

/// How a second process is started, once and before the first call: a program that ends in ServeContained,
/// and its arguments before those that are added. Default: this program. For libraries in another program.
void StartContainedWith(std::vector<std::string> words);

/// What `main` calls first: does contained work, and ends there, in a process that Contained started; else
/// returns at once.
void ServeContained(int argc, char** argv) noexcept;
/// The same of the two last arguments alone.
void ServeContained(const std::string& kind, const std::string& library) noexcept;

}  // namespace okbench
