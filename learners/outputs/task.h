#pragma once
// Task: the outputs that can be predicted for an example, their loss and their kernel. Outputs are numbered
// 0 .. outputs()-1. Examples and outputs have the joint kernel k(x, x') kappa(y, y'), so a model is
//
//   f(x, y) = <w, Psi(x, y)> = sum_r kappa(y, r) g_r(x),   g_r = sum_i tau_ir k(x_i, .)
//
// Delta(y, y') >= 0 is the loss of predicting y' where y is true; it is 0 only for y' = y. The prediction is
// the arg max of f(x, .). Learning uses the loss-augmented arg max of Delta(y, .) + f(x, .) (sfd-2013,
// chapter 1), which an oracle computes. Tasks are immutable and thread-safe.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "learners/core/examples.h"
#include "learners/outputs/label_distance.h"
#include "learners/outputs/label_tree.h"

namespace okbench {

class Task {
 public:
  virtual ~Task() = default;
  virtual std::size_t outputs() const = 0;
  /// Output for a label as stored in Examples.
  virtual std::size_t Output(std::int32_t label) const { return static_cast<std::size_t>(label); }
  virtual double Delta(std::size_t truth, std::size_t output) const = 0;
  virtual double LargestDelta() const = 0;
  virtual double Kappa(std::size_t output, std::size_t other) const = 0;
  /// Computes f[y] = sum_r kappa(y, r) g[r]. `f` and `g` may be the same list.
  virtual void OutputProducts(std::span<const double> g, std::span<double> f) const = 0;
  /// Whether scores f are a mistake while learning: their arg max, the lowest index among ties, is not the
  /// truth.
  virtual bool Mistake(std::size_t truth, std::span<const double> f) const;
  /// Whether kappa is the identity, so that OutputProducts copies.
  virtual bool identity() const { return false; }
};

/// Two classes with Psi(x, y) = y psi(x) / 2 and kappa(y, y') = y y' / 4. <Psi(x, y) - Psi(x, -y), .> then
/// has the kernel y y' k(x, x') of the binary SVM. Output 0 is label -1, output 1 is label +1.
class BinaryTask final : public Task {
 public:
  std::size_t outputs() const override { return 2; }
  std::size_t Output(std::int32_t label) const override { return label > 0 ? 1 : 0; }
  double Delta(std::size_t truth, std::size_t output) const override { return truth == output ? 0 : 1; }
  double LargestDelta() const override { return 1; }
  double Kappa(std::size_t output, std::size_t other) const override {
    return output == other ? 0.25 : -0.25;
  }
  void OutputProducts(std::span<const double> g, std::span<double> f) const override;
  /// While learning, equal scores, i.e. f(x) = 0, are a mistake for either label.
  bool Mistake(std::size_t truth, std::span<const double> f) const override {
    return !(f[truth] > f[1 - truth]);
  }
};

/// Multiclass task, with Delta and kappa of label trees, or Delta = 1 and kappa the identity.
class ClassTask final : public Task {
 public:
  /// `distances` and `kernel` may be null: then Delta = 1, or kappa is the identity. Throws InvalidArgument
  /// if a tree has another number of classes. The trees are copied.
  ClassTask(std::size_t classes, const LabelTree* distances, const LabelTree* kernel);

  std::size_t outputs() const override { return delta_.classes(); }
  double Delta(std::size_t truth, std::size_t output) const override { return delta_(truth, output); }
  double LargestDelta() const override { return largest_; }
  double Kappa(std::size_t output, std::size_t other) const override;
  void OutputProducts(std::span<const double> g, std::span<double> f) const override;
  bool identity() const override { return !kernel_.has_value(); }

 private:
  LabelDistance delta_;
  double largest_;
  std::optional<LabelTree> kernel_;
};

/// Builds the task for data with these labels. Throws InvalidArgument for real targets, and for binary labels
/// with a tree.
std::unique_ptr<Task> MakeTask(LabelKind kind, int classes, const LabelTree* distances,
                               const LabelTree* kernel);

/// Finds the most violating outputs and counts the calls, one per example. Not thread-safe.
class Oracle {
 public:
  struct Violator {
    std::size_t output = 0;
    double value = 0;  ///< rho[output] + f[output] - f[truth]; 0 for the truth itself
  };
  /// Returns arg max_y rho[y] + f[y] - f[truth] with rho[truth] = 0. Returns the truth if no other output has
  /// a value above 0. Ties go to the lowest output.
  Violator MostViolating(std::size_t truth, std::span<const double> rho, std::span<const double> f);
  std::uint64_t calls() const { return calls_; }

 private:
  std::uint64_t calls_ = 0;
};

}  // namespace okbench
