#include "harness/run/progress.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace okbench {
namespace {

std::string Duration(double seconds) {
  const long whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace

Progress::Progress(std::size_t trials, double total_cost, bool quiet)
    : trials_(trials),
      total_cost_(std::max(total_cost, 1.0)),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(std::chrono::steady_clock::now()) {
  if (quiet_) return;
  try {
    ticker_ = std::thread([this] { Loop(); });
  } catch (const std::exception&) {  // no thread, no status lines: trials run all the same
  }
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    Clear();
  }
  wake_.notify_all();
  if (ticker_.joinable()) ticker_.join();
}

std::shared_ptr<RunningTrial> Progress::Start(const std::string& name, std::uint64_t examples, double cost) {
  auto trial = std::make_shared<RunningTrial>();
  trial->name = name;
  trial->examples = std::max<std::uint64_t>(examples, 1);
  trial->cost = cost;
  const std::lock_guard lock(mutex_);
  running_.push_back(trial);
  return trial;
}

void Progress::Finish(const std::shared_ptr<RunningTrial>& trial, const std::string& line) {
  const std::lock_guard lock(mutex_);
  running_.erase(std::find(running_.begin(), running_.end(), trial));
  ++done_;
  done_cost_ += trial->cost;
  if (quiet_) return;
  Clear();
  fmt::print(stderr, "[{}/{}] {}\n", done_, trials_, line);
}

void Progress::Say(const std::string& line) {
  const std::lock_guard lock(mutex_);
  Clear();
  fmt::print(stderr, "{}\n", line);
}

void Progress::Loop() try {
  std::unique_lock lock(mutex_);
  const auto period = terminal_ ? std::chrono::milliseconds(500) : std::chrono::milliseconds(20000);
  while (!wake_.wait_for(lock, period, [this] { return stop_; }))
    if (!running_.empty()) Draw();
} catch (const std::exception&) {  // no memory for a status line: there are none any more
}

void Progress::Draw() {
  double cost = done_cost_;
  for (const auto& trial : running_)
    cost += trial->cost * static_cast<double>(trial->steps.load(std::memory_order_relaxed)) /
            static_cast<double>(trial->examples);
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const std::string left =
      cost > 0 ? Duration(elapsed * std::max(0.0, total_cost_ - cost) / cost) : "unknown";
  std::string names;
  for (const auto& trial : running_) names += (names.empty() ? "" : ", ") + trial->name;
  std::string line = fmt::format("{} of {} trials done, {} running, about {} left: {}", done_, trials_,
                                 running_.size(), left, names);
  if (terminal_) {
    winsize size{};
    const std::size_t width =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
    if (line.size() >= width) line = line.substr(0, width - 4) + "...";
    fmt::print(stderr, "\r\033[K{}", line);
    drawn_ = true;
  } else {
    fmt::print(stderr, "{}\n", line);
  }
  std::fflush(stderr);
}

void Progress::Clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace okbench
