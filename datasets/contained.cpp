#include "datasets/contained.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace okbench {
namespace {

constexpr time_t kMostSeconds = 120;  // of processor time: a forged file may lead in circles

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
  bytes.resize(header.size);
  return ReceiveAll(socket, bytes.data(), bytes.size());
}

// Of the copy: nothing of the other process is touched, no core left, and nothing printed of a broken heap.
void Detach() {
  std::atexit([] { _exit(1); });  // a library that calls exit runs no destructors of others
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);  // it ends with its parent
  const rlimit none{.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_CORE, &none);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0) _exit(1);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, standard);
}

// What the copy sends for a request.
bool Reply(int socket, Contained::Work work, std::string_view request) {
  const itimerval time{.it_interval = {}, .it_value = {.tv_sec = kMostSeconds, .tv_usec = 0}};
  setitimer(ITIMER_PROF, &time, nullptr);  // its signal ends the copy
  try {
    return Send(socket, Kind::kAnswer, work(request));
  } catch (const std::bad_alloc&) {
    return Send(socket, Kind::kMemory, "");
  } catch (const std::exception& error) {
    return Send(socket, Kind::kError, error.what());
  }
}

// Answers until the other end is closed. Nothing leaves it: else there were two of this program.
[[noreturn]] void Serve(int socket, Contained::Work work) noexcept {
  try {
    Detach();
    Kind kind{};
    std::string request;
    while (Receive(socket, kind, request) && Reply(socket, work, request)) request.clear();
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

std::mutex starting;  // else another copy would hold the end that this one is to close

}  // namespace

void Contained::Start() {
  const std::lock_guard lock(starting);
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw ContainedError(std::string("no socket: ") + std::strerror(errno));
  std::fflush(nullptr);
  const pid_t process = fork();
  const int cause = errno;
  if (process == 0) {
    close(ends[0]);
    Serve(ends[1], work_);
  }
  close(ends[1]);
  if (process < 0) {
    close(ends[0]);
    if (cause == ENOMEM) throw std::bad_alloc();
    throw ContainedError(std::string("no process: ") + std::strerror(cause));
  }
  process_ = process;
  socket_ = ends[0];
}

int Contained::Stop() noexcept {
  if (process_ == 0) return 0;
  close(socket_);  // the copy ends when it sees that; one that is busy is not waited for
  kill(process_, SIGKILL);
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = 0;
  return status;
}

std::string Contained::Ask(std::string_view request) {
  const std::lock_guard lock(mutex_);
  // A copy that met an error may be broken: the next call has a new one.
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
  if (kind == Kind::kMemory) throw std::bad_alloc();
  if (kind == Kind::kError) throw ContainedError(bytes);
  guard.well = true;
  return bytes;
}

}  // namespace okbench
