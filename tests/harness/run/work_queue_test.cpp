#include "harness/run/work_queue.h"

#include <thread>

#include "tests/catch.h"

namespace okbench {
namespace {

const std::filesystem::path kFolder = "x";

// A search trial of this learner.
Trial SearchNamed(const std::string& name) {
  Trial trial;
  trial.learner_key = name;
  trial.data.Edit().train.fold = Fold{.folds = 2};
  return trial;
}

TEST_CASE("a tuned trial is queued after its folds are done") {
  const Trial fold = SearchNamed("fold"), other;
  Trial tuned;
  // The second already has a result.
  tuned.candidates.Edit().emplace_back().files = {fold.FileName(), "earlier.h5"};
  const std::vector<Work> todo = {{.trial = &tuned, .folder = &kFolder},
                                  {.trial = &fold, .folder = &kFolder},
                                  {.trial = &other, .folder = &kFolder}};
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
  const Trial fold = SearchNamed("fold");
  Trial tuned;
  tuned.candidates.Edit().emplace_back().files = {fold.FileName()};
  const std::vector<Work> todo = {{.trial = &tuned, .folder = &kFolder},
                                  {.trial = &fold, .folder = &kFolder}};
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
  const std::vector<Work> todo = {{.trial = &trial, .folder = &kFolder}};
  const std::atomic<bool> interrupted{true};
  CHECK(WorkQueue(todo, interrupted).Next() == nullptr);
}

}  // namespace
}  // namespace okbench
