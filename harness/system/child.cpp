#include "harness/system/child.h"

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "datasets/environment.h"
#include "datasets/error.h"

namespace okbench {

int RunProgram(std::vector<std::string> words, const std::string& python_path) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const std::string inherited = Environment("PYTHONPATH");
  const std::string path = inherited.empty() ? python_path : python_path + ":" + inherited;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    if (!python_path.empty()) setenv("PYTHONPATH", path.c_str(), 1);
    execvp(arguments[0], arguments.data());
    fmt::print(stderr, "okbench: cannot start {}: {}\n", arguments[0], std::strerror(errno));
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0)
    throw DataError("cannot start " + words.front() + ": " + std::strerror(errno));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace okbench
