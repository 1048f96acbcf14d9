#include "harness/run/work_queue.h"

#include <chrono>

namespace okbench {

namespace {

// How long a worker waits before it calls before_waiting() again.
constexpr std::chrono::milliseconds kPatience{100};

}  // namespace

WorkQueue::WorkQueue(const std::vector<Work>& todo, const std::atomic<bool>& interrupted)
    : interrupted_(interrupted) {
  for (const Work& work : todo) {
    waiting_.push_back(&work);
    if (work.trial->fold()) unfinished_.insert(work.file().native());
  }
}

const Work* WorkQueue::Next(const std::function<void()>& before_waiting) {
  std::unique_lock lock(mutex_);
  for (bool waited = false;; waited = !waited) {
    if (interrupted_ || stopped_ || waiting_.empty()) return nullptr;
    for (auto at = waiting_.begin(); at != waiting_.end(); ++at) {
      if (Waits(**at)) continue;
      const Work* work = *at;
      waiting_.erase(at);
      return work;
    }
    if (waited) {
      changed_.wait_for(lock, kPatience);
    } else {
      lock.unlock();
      before_waiting();
      lock.lock();
    }
  }
}

void WorkQueue::Done(const Work& work) {
  const std::lock_guard lock(mutex_);
  if (work.trial->fold()) unfinished_.erase(work.file().native());
  changed_.notify_all();
}

void WorkQueue::Stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

bool WorkQueue::Waits(const Work& work) const {
  for (const Candidate& candidate : *work.trial->candidates)
    for (const std::string& file : candidate.files)
      if (unfinished_.contains((*work.folder / file).string())) return true;
  return false;
}

}  // namespace okbench
