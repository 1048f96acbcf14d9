#include "harness/run/progress.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

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

double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Progress::Progress(ProgressPlan plan, Verbosity verbosity)
    : plan_(plan),
      verbosity_(verbosity),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(std::chrono::steady_clock::now()) {
  if (verbosity_ == Verbosity::kQuiet) return;
  try {
    ticker_ = std::thread([this] { Loop(); });
  } catch (const std::exception&) {  // run without status lines if no thread is available
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

std::shared_ptr<RunningTrial> Progress::Start(const std::string& name, const std::string& data_set,
                                              std::uint64_t examples, double cost) {
  auto trial = std::make_shared<RunningTrial>();
  trial->name = name;
  trial->data_set = data_set;
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
  done_weight_ += ProgressPlan::Weight(trial->cost);
  if (verbosity_ == Verbosity::kTrials) {
    Clear();
    PrintToError("[{}/{}] {}\n", done_, plan_.trials, line);
  } else if (verbosity_ == Verbosity::kSummary && !terminal_ &&
             10 * done_ / plan_.trials > 10 * (done_ - 1) / plan_.trials) {
    Draw();  // on a terminal, Loop() draws
  }
}

// Extrapolates the elapsed time once 2 % of the weight is done; before that uses the expected seconds.
double Progress::SecondsLeft() const {
  double weight = done_weight_;
  for (const auto& trial : running_)
    weight += ProgressPlan::Weight(trial->cost) *
              static_cast<double>(trial->steps.load(std::memory_order_relaxed)) /
              static_cast<double>(trial->examples);
  const double ahead = std::max(0.0, plan_.weight - weight);
  constexpr double kTelling = 0.02;
  if (weight < kTelling * plan_.weight || weight <= 0) return plan_.seconds / std::max(1, plan_.jobs);
  return SecondsSince(start_) * ahead / weight;
}

void Progress::Print(const std::string& line) {
  const std::lock_guard lock(mutex_);
  Clear();
  PrintToError("{}\n", line);
}

void Progress::Loop() try {
  std::unique_lock lock(mutex_);
  const auto period = terminal_ ? std::chrono::milliseconds(500) : std::chrono::milliseconds(60000);
  while (!wake_.wait_for(lock, period, [this] { return stop_; }))
    if (!running_.empty()) Draw();
} catch (const std::exception&) {  // stop showing status lines if memory runs out
}

void Progress::Draw() {
  std::string names;
  for (const auto& trial : running_) {
    const bool loaded = trial->loaded.load(std::memory_order_relaxed);
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

void Progress::Clear() {
  if (drawn_) PrintToError("\r\033[K");
  drawn_ = false;
}

}  // namespace okbench
