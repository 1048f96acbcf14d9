#include "harness/run/time_left.h"

#include <cmath>

namespace okbench {
namespace {

constexpr double kWriteSeconds = 3e-3;  // preparing a trial and writing its trace
constexpr double kExampleSeconds = 5e-7;
constexpr double kPower = 0.6;
constexpr double kGroupDecay = 0.9;  // weight of a finished trial when the next one of its group finishes
constexpr double kDecay = 0.98;      // the same, of all groups

double Power(double expected, std::uint64_t examples) {
  return std::pow(expected + kWriteSeconds + kExampleSeconds * static_cast<double>(examples), kPower);
}

}  // namespace

void TimeLeft::Sums::Finish(double power, double taken, double decay) {
  expected = decay * expected + power;
  seconds = decay * seconds + taken;
}

void TimeLeft::Add(const std::string& group, double expected, std::uint64_t examples) {
  groups_[group].left += Power(expected, examples);
  all_.first += expected;
}

void TimeLeft::Finish(const std::string& group, double expected, std::uint64_t examples, double seconds) {
  const double power = Power(expected, examples);
  Sums& sums = groups_[group];
  sums.left -= power;
  all_.first -= expected;
  sums.Finish(power, seconds, kGroupDecay);
  all_.Finish(power, seconds, kDecay);
}

double TimeLeft::Ratio(const Sums& group) const {
  const Sums& known = group.expected > 0 ? group : all_;
  return known.expected > 0 ? known.seconds / known.expected : 1;
}

double TimeLeft::Predicted(const std::string& group, double expected, std::uint64_t examples) const {
  if (all_.expected == 0) return expected;
  const auto entry = groups_.find(group);
  return Power(expected, examples) * Ratio(entry == groups_.end() ? Sums{} : entry->second);
}

double TimeLeft::Seconds() const {
  if (all_.expected == 0) return all_.first;
  double sum = 0;
  for (const auto& [group, sums] : groups_) sum += sums.left * Ratio(sums);
  return sum > 0 ? sum : 0;
}

}  // namespace okbench
