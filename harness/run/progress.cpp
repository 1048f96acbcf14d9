#include "harness/run/progress.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "harness/system/standard_streams.h"

namespace okbench {
namespace {

std::string Duration(double seconds) {
  const long whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

constexpr std::size_t kBarWidth = 20;

// "[#########...........]"
std::string Bar(std::size_t done, std::size_t all) {
  const std::size_t full = all == 0 ? kBarWidth : kBarWidth * done / all;
  return "[" + std::string(full, '#') + std::string(kBarWidth - full, '.') + "]";
}

using Clock = std::chrono::steady_clock;

// Seconds since the data of a running trial were in memory; 0 before.
double SecondsOf(const RunningTrial& trial) {
  const std::int64_t loaded = trial.loaded_at.load(std::memory_order_relaxed);
  if (loaded == 0) return 0;
  return std::chrono::duration<double>(Clock::now().time_since_epoch() - Clock::duration(loaded)).count();
}

}  // namespace

ProgressLine::ProgressLine(ProgressPlan plan, Verbosity verbosity)
    : plan_(std::move(plan)), verbosity_(verbosity), terminal_(isatty(STDERR_FILENO) != 0) {
  if (verbosity_ == Verbosity::kQuiet) return;
  try {
    ticker_ = std::thread([this] { Loop(); });
  } catch (const std::exception&) {  // run without status lines if no thread is available
  }
}

ProgressLine::~ProgressLine() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    Clear();
  }
  wake_.notify_all();
  if (ticker_.joinable()) ticker_.join();
}

std::shared_ptr<RunningTrial> ProgressLine::Start(const std::string& name, const std::string& data_set,
                                                  const std::string& group, std::uint64_t examples,
                                                  double cost) {
  auto trial = std::make_shared<RunningTrial>();
  trial->name = name;
  trial->data_set = data_set;
  trial->group = group;
  trial->examples = std::max<std::uint64_t>(examples, 1);
  trial->cost = cost;
  const std::lock_guard lock(mutex_);
  running_.push_back(trial);
  return trial;
}

void ProgressLine::Finish(const std::shared_ptr<RunningTrial>& trial) {
  const std::lock_guard lock(mutex_);
  running_.erase(std::find(running_.begin(), running_.end(), trial));
  const double seconds = SecondsOf(*trial);  // 0 if it failed before its data were in memory
  plan_.left.Finish(trial->group, trial->cost, trial->examples, seconds > 0 ? seconds : PredictedOf(*trial));
}

void ProgressLine::Report(const std::string& line) {
  const std::lock_guard lock(mutex_);
  ++done_;
  if (verbosity_ == Verbosity::kTrials) {
    Clear();
    PrintToError("[{}/{}] {}\n", done_, plan_.trials, line);
  } else if (verbosity_ == Verbosity::kSummary && !terminal_ &&
             10 * done_ / plan_.trials > 10 * (done_ - 1) / plan_.trials) {
    Draw();  // on a terminal, Loop() draws
  }
}

double ProgressLine::PredictedOf(const RunningTrial& trial) const {
  return plan_.left.Predicted(trial.group, trial.cost, trial.examples);
}

// A running trial is extrapolated once it has processed kMinShare of its examples. It then counts as a
// finished one for the ratio of its group. No run ends before its longest trial.
double ProgressLine::SecondsLeft() const {
  constexpr double kMinShare = 0.1;  // share of the examples from which a trial is extrapolated
  TimeLeft others = plan_.left;
  double running = 0, longest = 0;
  for (const auto& trial : running_) {
    const double seconds = SecondsOf(*trial);
    const double share = static_cast<double>(trial->steps.load(std::memory_order_relaxed)) /
                         static_cast<double>(trial->examples);
    const double whole = share > kMinShare ? std::max(seconds / std::min(share, 1.0), seconds)
                                           : std::max(PredictedOf(*trial), seconds);
    others.Finish(trial->group, trial->cost, trial->examples, whole);
    running += whole - seconds;
    longest = std::max(longest, whole - seconds);
  }
  return std::max((running + others.Seconds()) / std::max(1, plan_.jobs), longest);
}

void ProgressLine::Print(const std::string& line) {
  const std::lock_guard lock(mutex_);
  Clear();
  PrintToError("{}\n", line);
}

void ProgressLine::Loop() try {
  std::unique_lock lock(mutex_);
  const auto period = terminal_ ? std::chrono::milliseconds(500) : std::chrono::milliseconds(60000);
  while (!wake_.wait_for(lock, period, [this] { return stop_; }))
    if (!running_.empty()) Draw();
} catch (const std::exception&) {  // stop showing status lines if memory runs out
}

void ProgressLine::Draw() {
  std::string names;
  for (const auto& trial : running_) {
    const bool loaded = trial->loaded_at.load(std::memory_order_relaxed) != 0;
    names += (names.empty() ? "" : ", ") + trial->name + (loaded ? "" : " (loading " + trial->data_set + ")");
  }
  std::string line = fmt::format("{} {} of {} trials, about {} left: {}", Bar(done_, plan_.trials), done_,
                                 plan_.trials, Duration(SecondsLeft()), names);
  if (terminal_) {
    winsize size{};
    const std::size_t width =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
    if (line.size() >= width) line = line.substr(0, width - 4) + "...";
    PrintToError("\r\033[K{}", line);
    drawn_ = true;
  } else {
    PrintToError("{}\n", line);
  }
  std::fflush(stderr);
}

void ProgressLine::Clear() {
  if (drawn_) PrintToError("\r\033[K");
  drawn_ = false;
}

}  // namespace okbench
