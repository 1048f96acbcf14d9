#pragma once
// Task: what is to be predicted for an example. Outputs are numbered 0 .. outputs()-1; examples and outputs
// have the joint kernel k(x, x') kappa(y, y'), so that a model is
//
//   f(x, y) = <w, Psi(x, y)> = sum_r kappa(y, r) g_r(x),   g_r = sum_i tau_ir k(x_i, .)
//
// and Delta(y, y') >= 0 is the loss of predicting y' where y is true, 0 for y' = y alone. A prediction is an
// arg max of f(x, .), learning takes the loss-augmented one of Delta(y, .) + f(x, .) (sfd-2013, chapter 1).
// The latter is an oracle's call. Tasks are immutable, hence safe to share.

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
  /// The output of a label as Examples has it.
  virtual std::size_t Output(std::int32_t label) const { return static_cast<std::size_t>(label); }
  virtual double Delta(std::size_t truth, std::size_t output) const = 0;
  virtual double LargestDelta() const = 0;
  virtual double Kappa(std::size_t output, std::size_t other) const = 0;
  /// f[y] = sum_r kappa(y, r) g[r]. The two may be the same list.
  virtual void OutputProducts(std::span<const double> g, std::span<double> f) const = 0;
  /// Whether scores f of an example predict wrongly: the arg max, the lowest among equals, is not the truth.
  virtual bool Mistake(std::size_t truth, std::span<const double> f) const;
  /// kappa is the identity: OutputProducts copies.
  virtual bool identity() const { return false; }
};

/// Two classes, Psi(x, y) = y psi(x) / 2: kappa(y, y') = y y' / 4, so that <Psi(x, y) - Psi(x, -y), .> has
/// the kernel y y' k(x, x') of the binary SVM. Output 0 is -1, output 1 is +1.
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
  /// Equal scores, that is f(x) = 0, are a mistake for either label.
  bool Mistake(std::size_t truth, std::span<const double> f) const override {
    return !(f[truth] > f[1 - truth]);
  }
};

/// Classes, with the distances and the kernel of a tree, or without (Delta = 1, kappa the identity).
class ClassTask final : public Task {
 public:
  /// Without a tree for the distances or for the kernel, the flat ones. Throws InvalidArgument when a tree
  /// has other classes.
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

/// The task of data with these labels. Throws InvalidArgument for real targets, and for trees with binary
/// labels.
std::unique_ptr<Task> MakeTask(LabelKind kind, int classes, const LabelTree* distances,
                               const LabelTree* kernel);

/// Finds outputs to learn from and counts the calls: one an example.
class Oracle {
 public:
  struct Violator {
    std::size_t output = 0;
    double value = 0;  ///< rho[output] + f[output] - f[truth]; 0 for the truth itself
  };
  /// arg max_y rho[y] + f[y] - f[truth] with rho[truth] = 0; the truth where no other output is above 0, else
  /// the lowest among equals.
  Violator MostViolating(std::size_t truth, std::span<const double> rho, std::span<const double> f);
  std::uint64_t calls() const { return calls_; }

 private:
  std::uint64_t calls_ = 0;
};

}  // namespace okbench
