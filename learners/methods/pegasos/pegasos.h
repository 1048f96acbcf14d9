#pragma once
// Pegasos with kernels (Shalev-Shwartz, Singer, Srebro and Cotter 2011; sfd-2013 section 5.1.3): stochastic
// subgradient descent on lambda/2 ||f||^2 + mean hinge loss, binary, no bias. Round t = 1, 2, ... on k
// examples, with eta = 1/(lambda t) and V the examples with y_i f(x_i) < 1:
//
//   f <- (1 - 1/t) f + eta/k sum_{i in V} y_i k(x_i, .)
//   f <- min(1, 1/(sqrt(lambda) ||f||)) f                              optional projection
//   fbar <- (1 - rho_t) fbar + rho_t f,   rho_t = d/(t + d + 1), 1 at t = 1     optional average
//
// With an average (Pegasos2 of the thesis, d = 3), fbar predicts. The polynomial-decay averaging of Shamir
// and Zhang 2013, which the thesis cites, has (d + 1)/(t + d) instead.
//
// Cost per round: k |S| kernel evaluations. The projection requests |V| (|V| + 1) / 2 more. Coefficients are
// updated one by one in O(|S|). Lazy scaling (f = s g, fbar = p h + q g) is not used: fbar would lose all
// digits to cancellation while the projection shrinks s.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/bases/binary_learner.h"
#include "learners/bases/mini_batch.h"
#include "learners/support/expansion.h"

namespace okbench::pegasos {

struct Options {
  double lambda = 1e-4;    ///< regulariser, > 0
  bool projection = true;  ///< project onto the ball ||f|| <= 1/sqrt(lambda) after each step
  bool average = false;    ///< predict with the average fbar
  double decay = 3;        ///< d of the average, > 0
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

  /// Coefficient of a training example in f. predicting_coefficient(): in the predicting model, f or fbar.
  double coefficient(std::uint32_t i) const { return expansion_.coefficient(0, i); }
  double predicting_coefficient(std::uint32_t i) const {
    return expansion_.coefficient(options_.average ? 1 : 0, i);
  }
  /// ||f||^2; maintained only with projection.
  double squared_norm() const { return squared_norm_; }

 protected:
  std::span<const double> Coefficients() const override { return expansion_.coefficients(); }

 private:
  void Scale(double factor);

  Options options_;
  MiniBatch<T> batch_;
  Expansion expansion_;  // column 0: f; column 1, with an average: fbar
  std::vector<double> scores_;
  std::vector<std::uint32_t> violators_;
  std::uint64_t t_ = 0;
  double squared_norm_ = 0;
  double step_size_ = 0;
};

extern template class Pegasos<float>;
extern template class Pegasos<double>;

}  // namespace okbench::pegasos
