#pragma once
// Pegasos with kernels (Shalev-Shwartz, Singer, Srebro and Cotter 2011; sfd-2013 section 5.1.3), binary, no
// bias.
//
// Round t = 1, 2, ... on k examples, eta = 1/(lambda t), V the examples with y_i f(x_i) < 1:
//   f <- (1 - 1/t) f + eta/k sum_{i in V} y_i k(x_i, .),   then f <- min(1, 1/(sqrt(lambda) ||f||)) f
// It minimises lambda/2 ||f||^2 + mean hinge loss. The averaged variant (Pegasos2 of the thesis) predicts
// with
//   fbar <- (1 - rho_t) fbar + rho_t f,   rho_t = d/(t + d + 1), 1 at t = 1;   d = 3 in the thesis.
// (The polynomial-decay averaging of Shamir and Zhang 2013, which the thesis cites, has (d + 1)/(t + d).)
//
// Coefficients of f and fbar are updated one by one, O(support vectors) a round, which is nothing beside its
// kernel values. Lazily scaled ones (f = s g, fbar = p h + q g) lose every digit of fbar to cancellation
// while the projection shrinks s.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/bases/binary_learner.h"
#include "learners/bases/mini_batch.h"
#include "learners/support/expansion.h"

namespace okbench::pegasos {

struct Options {
  double lambda = 1e-4;
  bool projection = true;
  bool average = false;
  double decay = 3;  ///< d of the average
};

template <class T>
class Pegasos final : public BinaryLearner<T>, public Resumable {
 public:
  Pegasos(const Options& options, const LearnerContext<T>& context);

  RoundOutcome Round(std::span<const std::uint32_t> batch) override;
  std::vector<std::string> Columns() const override;
  void Report(std::span<double> out) const override;
  std::size_t support_vectors() const override { return expansion_.members().size(); }

  std::span<const std::uint32_t> RetainedRows() const override { return expansion_.members(); }
  void OnRowsAppended() override;
  void Serialize(Archive& archive) override;

  /// Coefficient of a training example in f, and in the model that predicts (f or its average).
  double coefficient(std::uint32_t i) const { return expansion_.coefficient(0, i); }
  double predicting_coefficient(std::uint32_t i) const {
    return expansion_.coefficient(options_.average ? 1 : 0, i);
  }
  /// ||f||^2, kept up with projection only.
  double squared_norm() const { return squared_norm_; }

 protected:
  std::span<const double> Coefficients() const override { return expansion_.coefficients(); }

 private:
  void Scale(double factor);

  Options options_;
  MiniBatch<T> batch_;
  Expansion expansion_;  // f, and fbar with an average
  std::vector<double> scores_;
  std::vector<std::uint32_t> violators_;
  std::uint64_t t_ = 0;
  double squared_norm_ = 0;
  double step_size_ = 0;
};

extern template class Pegasos<float>;
extern template class Pegasos<double>;

}  // namespace okbench::pegasos
