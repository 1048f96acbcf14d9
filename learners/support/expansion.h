#pragma once
// Expansion: a function f = sum_i a_i k(x_i, .) over training examples that grows as examples receive
// coefficients. Several coefficient columns share the examples. An example that is drawn again adds to its
// coefficient and remains one support vector.
//
// Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "learners/core/archive.h"

namespace okbench {

class Expansion {
 public:
  /// No members; `examples` is the number of training examples.
  Expansion(std::size_t examples, std::size_t columns)
      : examples_(examples),
        columns_(columns),
        coefficients_(examples * columns, 0.0),
        member_(examples, false) {}

  /// Adds to the coefficient of a training example in one column, and makes it a member.
  void Add(std::size_t column, std::uint32_t example, double value) {
    if (!member_[example]) {
      member_[example] = true;
      members_.push_back(example);
    }
    coefficients_[column * examples_ + example] += value;
  }
  /// Multiplies the coefficients of a column by a factor.
  void Scale(std::size_t column, double factor) {
    for (const std::uint32_t i : members_) coefficients_[column * examples_ + i] *= factor;
  }
  /// column <- keep * column + share * other.
  void Mix(std::size_t column, double keep, std::size_t other, double share) {
    for (const std::uint32_t i : members_) {
      double& value = coefficients_[column * examples_ + i];
      value = keep * value + share * coefficients_[other * examples_ + i];
    }
  }

  /// Replaces the training set by one with `examples` rows, whose first rows are the members in their order.
  void Restart(std::size_t examples) {
    std::vector<double> moved(columns_ * examples, 0.0);
    for (std::size_t c = 0; c < columns_; ++c)
      for (std::size_t m = 0; m < members_.size(); ++m)
        moved[c * examples + m] = coefficients_[c * examples_ + members_[m]];
    examples_ = examples;
    coefficients_ = std::move(moved);
    member_.assign(examples, false);
    for (std::size_t m = 0; m < members_.size(); ++m) {
      members_[m] = static_cast<std::uint32_t>(m);
      member_[m] = true;
    }
  }
  void Serialize(Archive& archive) {
    std::size_t examples = examples_;
    archive.Field("examples", examples);
    if (examples != examples_) Archive::Fail("examples", "does not fit the training rows");
    archive.Fixed("coefficients", coefficients_);
    archive.Field("members", members_);
    member_.assign(examples_, false);
    for (const std::uint32_t i : members_) {
      if (i >= examples_ || member_[i]) Archive::Fail("members", "has a row out of range or twice");
      member_[i] = true;
    }
  }

  /// Members in the order of their first coefficient.
  std::span<const std::uint32_t> members() const { return members_; }
  /// All coefficients, [column][training example].
  std::span<const double> coefficients() const { return coefficients_; }
  double coefficient(std::size_t column, std::uint32_t example) const {
    return coefficients_[column * examples_ + example];
  }
  /// Coefficients of the members, [column][member]. Valid until the next call.
  std::span<const double> Gather() {
    gathered_.clear();
    for (std::size_t first = 0; first < coefficients_.size(); first += examples_)
      for (const std::uint32_t i : members_) gathered_.push_back(coefficients_[first + i]);
    return gathered_;
  }

 private:
  std::size_t examples_, columns_;
  std::vector<double> coefficients_;
  std::vector<bool> member_;
  std::vector<std::uint32_t> members_;
  std::vector<double> gathered_;
};

}  // namespace okbench
