#pragma once
// TimeLeft: the remaining time of a run, from the expected and the measured seconds of its trials.

#include <cstdint>
#include <map>
#include <string>

namespace okbench {

/// Corrects the expected seconds of trials by those that have finished. A trial of group g with n examples
/// that is expected to take e seconds is predicted to take r_g (e + o)^p, with an overhead o that grows with
/// n. r_g is the ratio of measured seconds to the power for the latest finished trials of the group, or of
/// all groups if it has none. The power is below 1, because expected seconds overstate the largest trials
/// most. With its value the predictions were mostly within a factor of two for the default tier. Until a
/// trial has finished, the expected seconds count.
class TimeLeft {
 public:
  /// Adds a trial to do. `group`: trials that take about the same multiple of their expected seconds.
  void Add(const std::string& group, double expected, std::uint64_t examples);
  /// Records that a trial to do has taken `seconds`.
  void Finish(const std::string& group, double expected, std::uint64_t examples, double seconds);
  /// The predicted seconds of one trial.
  double Predicted(const std::string& group, double expected, std::uint64_t examples) const;
  /// The predicted seconds of all trials to do, one after another.
  double Seconds() const;

 private:
  struct Sums {
    double left = 0;      // powers of the trials to do
    double first = 0;     // expected seconds of the trials to do, used while nothing is known
    double expected = 0;  // powers of finished trials, the latest with most weight
    double seconds = 0;   // their measured seconds
    void Finish(double power, double taken, double decay);
  };
  double Ratio(const Sums& group) const;

  std::map<std::string, Sums> groups_;
  Sums all_;
};

}  // namespace okbench
