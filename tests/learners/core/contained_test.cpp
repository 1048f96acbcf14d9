// Work in a process of its own: whatever becomes of it, the caller is told.

#include "learners/core/contained.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/helpers.h"

namespace okbench {
namespace {

using Catch::Contains;

int calls = 0;

std::string Work(std::string_view request) {
  ++calls;
  if (request == "abort") std::abort();
  if (request == "crash") raise(SIGSEGV);
  if (request == "exit") std::exit(7);
  if (request == "throw") throw std::runtime_error("no such thing");
  if (request == "memory") throw std::bad_alloc();
  if (request.starts_with('/')) {
    std::ofstream(std::string(request)) << getpid() << std::endl;
    while (true) pause();
  }
  if (request == "count") return std::to_string(calls);
  return std::string(request) + std::string(request);
}

Contained contained("the library", Work);

TEST_CASE("contained work answers, fails and crashes without harm") {
  CHECK(contained.Ask("").empty());
  const std::string large(5 << 20, 'x');
  CHECK(contained.Ask(large) == large + large);
  CHECK(contained.Ask("count") == "3");  // all in one process, and not in this one
  CHECK(calls == 0);
  CHECK_THROWS_WITH(contained.Ask("throw"), "no such thing");
  CHECK_THROWS_AS(contained.Ask("throw"), ContainedError);
  CHECK(contained.Ask("count") == "1");  // after an error there is another
  CHECK_THROWS_AS(contained.Ask("memory"), std::bad_alloc);
  CHECK_THROWS_WITH(contained.Ask("abort"), Contains("the library failed: its process ended with signal 6"));
  CHECK_THROWS_WITH(contained.Ask("crash"), Contains("ended with"));  // a sanitizer makes it a status
  CHECK_THROWS_WITH(contained.Ask("exit"), Contains("status 1"));
  CHECK(contained.Ask("ab") == "abab");
}

TEST_CASE("contained work is asked for from any thread") {
  std::vector<int> wrong(4, 0);
  {
    std::vector<std::jthread> threads;
    for (int& count : wrong)
      threads.emplace_back([&count, text = std::to_string(threads.size())] {
        for (int i = 0; i < 200; ++i) count += contained.Ask(text) == text + text ? 0 : 1;
      });
  }
  CHECK(wrong == std::vector<int>(4, 0));
}

TEST_CASE("a forked process does not take the answers of the one that it was forked from") {
  REQUIRE(contained.Ask("ab") == "abab");
  const int before = std::stoi(contained.Ask("count"));
  const pid_t child = fork();
  if (child == 0) {
    const bool own = contained.Ask("count") == "1" && contained.Ask("a") == "aa";
    _exit(own ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  CHECK(std::stoi(contained.Ask("count")) == before + 1);
}

TEST_CASE("contained work ends when the program that asked for it is killed") {
  const testing::TemporaryFolder folder;
  const std::string file = folder.File("pid");
  const pid_t program = fork();
  if (program == 0) {
    contained.Ask(file);
    _exit(0);
  }
  pid_t worker = 0;
  while (worker == 0) {
    usleep(1000);
    std::ifstream(file) >> worker;
  }
  kill(program, SIGKILL);
  REQUIRE(waitpid(program, nullptr, 0) == program);
  // It would never end by itself.
  int waited = 0;
  while (kill(worker, 0) == 0 && ++waited < 60000) usleep(1000);
  CHECK(waited < 60000);
  if (waited == 60000) kill(worker, SIGKILL);
}

// A fork would wait for ever, some time, for a lock of the allocator that another thread held.
TEST_CASE("contained work starts while other threads allocate") {
  std::atomic<bool> done = false;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&done] {
      for (std::size_t size = 1; !done; size = size % 5000 + 1) std::string(size, 'x').shrink_to_fit();
    });
  for (int i = 0; i < 50; ++i) {
    CHECK(contained.Ask("ab") == "abab");
    CHECK_THROWS_AS(contained.Ask("throw"), ContainedError);
  }
  done = true;
}

TEST_CASE("a program that is not asked to serve goes on") {
  char name[] = "okbench", verb[] = "--contained", other[] = "no such library";
  char* arguments[] = {name, verb, other, nullptr};
  ServeContained(1, arguments);
  ServeContained(3, arguments);
}

}  // namespace
}  // namespace okbench
