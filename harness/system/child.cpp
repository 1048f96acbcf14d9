#include "harness/system/child.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "base/platform.h"
#include "harness/system/paths.h"

namespace okbench {

namespace {

// Starts a program as a child. Redirects its standard output to the descriptor `output` unless that is
// negative.
pid_t Start(std::vector<std::string>& words, const std::string& python_path, int output) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    EndWithParent();
    if (output >= 0) dup2(output, STDOUT_FILENO);
    _exit(BecomeProgram(words, python_path));
  }
  if (child < 0) throw DataError("cannot start " + words.front() + ": " + std::strerror(errno));
  return child;
}

// Waits for a child. Returns its exit status, or 1 if a signal killed it.
int Wait(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) < 0) return 1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

int BecomeProgram(std::vector<std::string> words, const std::string& python_path) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // Without empty elements, which would stand for the current folder.
  std::string path = python_path;
  for (const std::string& folder : EnvironmentList("PYTHONPATH")) path += (path.empty() ? "" : ":") + folder;
  if (path.empty())
    unsetenv("PYTHONPATH");
  else
    setenv("PYTHONPATH", path.c_str(), 1);
  std::fflush(nullptr);
  execvp(arguments[0], arguments.data());
  fmt::print(stderr, "okbench: cannot start {}: {}\n", arguments[0], std::strerror(errno));
  return 127;
}

int RunProgram(std::vector<std::string> words, const std::string& python_path) {
  return Wait(Start(words, python_path, -1));
}

std::string CaptureProgram(std::vector<std::string> words, const std::string& python_path) {
  int ends[2];
  if (!OpenPrivatePipe(ends)) return "";
  const pid_t child = Start(words, python_path, ends[1]);
  close(ends[1]);
  std::string text, piece(1 << 16, '\0');
  for (ssize_t count = 0; (count = read(ends[0], piece.data(), piece.size())) > 0;)
    text.append(piece, 0, static_cast<std::size_t>(count));
  close(ends[0]);
  return Wait(child) == 0 ? text : "";
}

}  // namespace okbench
