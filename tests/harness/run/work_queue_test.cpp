#include "harness/run/work_queue.h"

#include <catch2/catch.hpp>
#include <thread>

namespace okbench {
namespace {

TEST_CASE("a tuned trial is queued after its folds are done") {
  Trial fold, tuned, other;
  tuned.candidates.emplace_back();
  tuned.candidates.back().files = {"fold.h5", "earlier.h5"};  // the second already has a result
  const std::vector<Work> todo = {{.trial = &tuned, .file = "x/tuned.h5"},
                                  {.trial = &fold, .file = "x/fold.h5"},
                                  {.trial = &other, .file = "x/other.h5"}};
  const std::atomic<bool> interrupted{false};
  WorkQueue queue(todo, interrupted);
  CHECK(queue.Next() == &todo[1]);
  CHECK(queue.Next() == &todo[2]);
  queue.Done(todo[2]);
  queue.Done(todo[1]);
  CHECK(queue.Next() == &todo[0]);
  CHECK(queue.Next() == nullptr);
}

TEST_CASE("stopping the queue releases threads that wait for a trial") {
  Trial fold, tuned;
  tuned.candidates.emplace_back();
  tuned.candidates.back().files = {"fold.h5"};
  const std::vector<Work> todo = {{.trial = &tuned, .file = "x/tuned.h5"},
                                  {.trial = &fold, .file = "x/fold.h5"}};
  const std::atomic<bool> interrupted{false};
  WorkQueue queue(todo, interrupted);
  CHECK(queue.Next() == &todo[1]);
  const Work* next = &todo[0];
  std::thread waiting([&] { next = queue.Next(); });
  queue.Stop();
  waiting.join();
  CHECK(next == nullptr);
}

TEST_CASE("an interrupted queue returns no more work") {
  const Trial trial;
  const std::vector<Work> todo = {{.trial = &trial, .file = "x/t.h5"}};
  const std::atomic<bool> interrupted{true};
  CHECK(WorkQueue(todo, interrupted).Next() == nullptr);
}

}  // namespace
}  // namespace okbench
