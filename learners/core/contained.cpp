#include "learners/core/contained.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

namespace okbench {
namespace {

// What goes over the socket, either way: a header, then the bytes.
enum class Kind : std::uint64_t { kRequest = 1, kAnswer, kError, kMemory };
struct Header {
  Kind kind;
  std::uint64_t size;
};

bool SendAll(int socket, const void* bytes, std::size_t count) {
  for (const char* at = static_cast<const char*>(bytes); count > 0;) {
    const ssize_t sent = send(socket, at, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    at += sent;
    count -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool Send(int socket, Kind kind, std::string_view bytes) {
  const Header header{.kind = kind, .size = bytes.size()};
  return SendAll(socket, &header, sizeof(header)) && SendAll(socket, bytes.data(), bytes.size());
}

bool ReceiveAll(int socket, void* bytes, std::size_t count) {
  for (char* at = static_cast<char*>(bytes); count > 0;) {
    const ssize_t got = recv(socket, at, count, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

bool Receive(int socket, Kind& kind, std::string& bytes) {
  Header header{};
  if (!ReceiveAll(socket, &header, sizeof(header))) return false;
  kind = header.kind;
  if (header.size > bytes.max_size()) throw std::bad_alloc();
  bytes.resize(header.size);
  return ReceiveAll(socket, bytes.data(), bytes.size());
}

// Nothing of the program that started this one is touched, and no core left.
void Detach() {
  std::atexit([] { _exit(1); });  // a library that calls exit runs no destructors of others
  const rlimit none{.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_CORE, &none);
}

// What a process does: the work, and how long an answer may take.
struct Task {
  Contained::Work work;
  time_t most_seconds;
};

// What is sent for a request; whether it was an answer, and not an error.
bool Reply(int socket, const Task& task, std::string_view request) {
  const itimerval time{.it_interval = {}, .it_value = {.tv_sec = task.most_seconds, .tv_usec = 0}};
  setitimer(ITIMER_PROF, &time, nullptr);  // its signal ends this process
  try {
    return Send(socket, Kind::kAnswer, task.work(request));
  } catch (const std::bad_alloc&) {
    Send(socket, Kind::kMemory, "");
  } catch (const std::exception& error) {
    Send(socket, Kind::kError, error.what());
  }
  return false;
}

constexpr int kAnotherOne = 3;  // a worker's status: it met an error, and may be broken

// Answers until the other end is closed, or a request ends in an error: the status to end with.
int Serve(int socket, const Task& task) {
  Kind kind{};
  std::string request;
  while (Receive(socket, kind, request)) {
    if (!Reply(socket, task, request)) return kAnotherOne;
    request.clear();
  }
  return 0;
}

// What the work answers where memory is too short for a worker.
std::string NoMemory(std::string_view) { throw std::bad_alloc(); }

// Its status of wait. One that is busy ends, too, once nobody waits for its answer: the program was killed.
int WaitFor(pid_t worker, int socket) {
  const int ended = static_cast<int>(
      syscall(SYS_pidfd_open, worker, 0));  // not everywhere: -1 where processors are emulated
  pollfd watched[] = {{.fd = ended, .events = POLLIN, .revents = 0},
                      {.fd = socket, .events = POLLRDHUP, .revents = 0}};
  while (ended >= 0 && poll(watched, 2, -1) < 0 && errno == EINTR) {
  }
  if (watched[1].revents != 0) kill(worker, SIGKILL);
  if (ended >= 0) close(ended);
  int status = 0;
  while (waitpid(worker, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// One worker, to its end: the status of wait.
int RunWorker(int socket, const Task& task) {
  const pid_t self = getpid();
  const pid_t worker = fork();
  if (worker < 0) return W_EXITCODE(Serve(socket, {.work = NoMemory, .most_seconds = 0}), 0);
  if (worker == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // one in circles ends when its answer is no longer waited for
    _exit(getppid() == self ? Serve(socket, task) : 0);
  }
  return WaitFor(worker, socket);
}

// Runs workers one after the other, and ends as the last one does. They are copies of this process, which has
// one thread and uses no library itself: that takes a tenth of a new program's time. Nothing leaves it: else
// there were two of this program.
[[noreturn]] void RunWorkers(int socket, const Task& task) noexcept {
  try {
    Detach();
    int status = 0;
    do status = RunWorker(socket, task);
    while (WIFEXITED(status) && WEXITSTATUS(status) == kAnotherOne);
    if (WIFSIGNALED(status)) raise(WTERMSIG(status));
    _exit(WEXITSTATUS(status));
  } catch (...) {
    _exit(1);
  }
}

constexpr const char* kServe =
    "--contained";  // what the second process is called with, and the library's name

std::vector<std::string> starts_with;  // empty: this program

Contained* newest = nullptr;  // set while globals are made, by one thread
std::atomic<bool> serves = false;

// How the second process starts: it reads where the socket is, prints nowhere and ends with its parent alone.
class SpawnPlan {
 public:
  explicit SpawnPlan(int socket) {
    Require(posix_spawn_file_actions_init(&files_));
    Require(posix_spawn_file_actions_adddup2(&files_, socket, STDIN_FILENO));
    for (const int output : {STDOUT_FILENO, STDERR_FILENO})
      Require(posix_spawn_file_actions_addopen(&files_, output, "/dev/null", O_WRONLY, 0));
    sigset_t blocked;
    sigemptyset(&blocked);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&blocked, signal);
    Require(posix_spawnattr_init(&attributes_));
    Require(posix_spawnattr_setsigmask(&attributes_, &blocked));
    Require(posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK));
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  pid_t Start(const char* library) const {
    std::vector<std::string> words = starts_with;
    const std::string file = words.empty() ? "/proc/self/exe" : words.front();
    if (words.empty()) words.emplace_back("okbench");
    words.insert(words.end(), {kServe, library});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t process = 0;
    Require(posix_spawn(&process, file.c_str(), &files_, &attributes_, arguments.data(), environ));
    return process;
  }

 private:
  static void Require(int cause) {
    if (cause == ENOMEM) throw std::bad_alloc();
    if (cause != 0) throw ContainedError(std::string("no process: ") + std::strerror(cause));
  }

  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

Contained::Contained(const char* library, Work work, const ContainedOptions& options) noexcept
    : library_(library), work_(work), options_(options), next_(newest) {
  newest = this;
}

void ServeContained(int argc, char** argv) noexcept {
  serves = true;
  if (argc == 3 && std::strcmp(argv[1], kServe) == 0) ServeContained(argv[1], argv[2]);
}

void ServeContained(const std::string& kind, const std::string& library) noexcept {
  if (kind != kServe) return;
  for (const Contained* contained = newest; contained != nullptr; contained = contained->next_)
    if (library == contained->library_)
      RunWorkers(STDIN_FILENO, {.work = contained->work_, .most_seconds = contained->options_.most_seconds});
}

void StartContainedWith(std::vector<std::string> words) { starts_with = std::move(words); }

bool Contained::IsApart() const noexcept { return options_.in_libraries || (serves && starts_with.empty()); }

// The second process answers the one that started it, and a fork of that has its socket, too.
void Contained::LeaveInherited() noexcept {
  if (process_ == 0 || owner_ == getpid()) return;
  close(socket_);
  process_ = 0;
}

void Contained::Start() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw ContainedError(std::string("no socket: ") + std::strerror(errno));
  try {
    process_ = SpawnPlan(ends[1]).Start(library_);
  } catch (...) {
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  close(ends[1]);
  owner_ = getpid();
  socket_ = ends[0];
}

int Contained::Stop() noexcept {
  LeaveInherited();
  if (process_ == 0) return 0;
  close(socket_);  // the process ends when it sees that; one that is busy is not waited for
  kill(process_, SIGKILL);
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = 0;
  return status;
}

std::string Contained::Ask(std::string_view request) {
  const std::lock_guard lock(mutex_);
  LeaveInherited();
  return IsApart() ? AskProcess(request) : work_(request);
}

std::string Contained::AskProcess(std::string_view request) {
  // Nothing is left in the socket for the next call, which has a new process where this one did not reply.
  struct Guard {
    Contained& of;
    bool well = false;
    ~Guard() {
      if (!well) of.Stop();
    }
  } guard{*this};
  if (process_ == 0) Start();
  Kind kind{};
  std::string bytes;
  if (!Send(socket_, Kind::kRequest, request) || !Receive(socket_, kind, bytes)) {
    const int status = Stop();
    throw ContainedError(std::string(library_) + " failed: its process ended with " +
                         (WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                                              : "status " + std::to_string(WEXITSTATUS(status))));
  }
  guard.well = true;
  if (kind == Kind::kMemory) throw std::bad_alloc();
  if (kind == Kind::kError) throw ContainedError(bytes);
  return bytes;
}

}  // namespace okbench
