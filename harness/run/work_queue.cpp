#include "harness/run/work_queue.h"

namespace okbench {

WorkQueue::WorkQueue(const std::vector<Work>& todo, const std::atomic<bool>& interrupted)
    : interrupted_(interrupted) {
  for (const Work& work : todo) {
    waiting_.push_back(&work);
    unfinished_.insert(work.file.native());
  }
}

const Work* WorkQueue::Next() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (interrupted_ || stopped_ || waiting_.empty()) return nullptr;
    for (auto at = waiting_.begin(); at != waiting_.end(); ++at) {
      if (Waits(**at)) continue;
      const Work* work = *at;
      waiting_.erase(at);
      return work;
    }
    changed_.wait(lock);
  }
}

void WorkQueue::Done(const Work& work) {
  const std::lock_guard lock(mutex_);
  unfinished_.erase(work.file.native());
  changed_.notify_all();
}

void WorkQueue::Stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

bool WorkQueue::Waits(const Work& work) const {
  for (const Candidate& candidate : work.trial->candidates)
    for (const std::string& file : candidate.files)
      if (unfinished_.contains((work.file.parent_path() / file).string())) return true;
  return false;
}

}  // namespace okbench
