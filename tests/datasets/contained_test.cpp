// Work in a process of its own: whatever becomes of it, the caller is told.

#include "datasets/contained.h"

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

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
  if (request == "count") return std::to_string(calls);
  return std::string(request) + std::string(request);
}

TEST_CASE("contained work answers, fails and crashes without harm") {
  Contained contained("the library", Work);
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
  Contained contained("the library", Work);
  std::vector<int> wrong(4, 0);
  {
    std::vector<std::jthread> threads;
    for (int& count : wrong)
      threads.emplace_back([&contained, &count, text = std::to_string(threads.size())] {
        for (int i = 0; i < 200; ++i) count += contained.Ask(text) == text + text ? 0 : 1;
      });
  }
  CHECK(wrong == std::vector<int>(4, 0));
}

}  // namespace
}  // namespace okbench
