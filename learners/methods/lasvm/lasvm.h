#pragma once
// LaSVM (Bordes, Ertekin, Weston and Bottou 2005; sfd-2013 section 5.1.3): online SMO with removal of
// non-support vectors and a bias, binary.
//
// f(x) = sum_s alpha_s k(x_s, x) + b with A_s = min(0, C y_s) <= alpha_s <= max(0, C y_s) = B_s,
// C = 1/(lambda N). The gradients are g_s = y_s - sum_r alpha_r k(x_r, x_s). A pair (i, j) is tau-violating
// when alpha_i < B_i, alpha_j > A_j and g_i - g_j > tau; the step along it is
//   step = min((g_i - g_j) / (k_ii + k_jj - 2 k_ij), B_i - alpha_i, alpha_j - A_j),
//   alpha_i += step, alpha_j -= step, g_s -= step (k_is - k_js).
// PROCESS(k): k enters the support set S with alpha_k = 0 and is paired with the member of the other end, a
//   step being taken when the pair is violating; when it is not, k stays out.
// REPROCESS: a step along the most violating pair of S; then i = argmax {g_s : alpha_s < B_s},
//   j = argmin {g_s : alpha_s > A_s}; members with alpha_s = 0 that can no more become part of a violating
//   pair (y_s = -1 and g_s >= g_i, or y_s = +1 and g_s <= g_j) leave; b = (g_i + g_j)/2, delta = g_i - g_j.
// A round selects an example that was not seen in this epoch, does PROCESS on it and one REPROCESS. Finishing
// repeats REPROCESS until delta <= tau. S starts with a few examples of each class.
//
// Gradients are kept for all training examples, so that candidates need no sums, or, as in the authors' code,
// for S alone: the score of a candidate is then summed over S each time it is looked at. `computed` counts
// whole kernel rows over the training set, each once while it is in the row cache; of gradients of S the
// values between examples that are looked at and members, as support_rows.h evaluates them. `requested`
// counts what LaSVM asks for without a cache, for both: |S| values a candidate that is looked at (none for a
// member of S, whose gradient is held), and the rows over S of each step. Both take the same steps up to
// rounding, which may decide between two gradients that a step has made equal.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "learners/bases/binary_learner.h"
#include "learners/core/random.h"
#include "learners/methods/lasvm/score_store.h"

namespace okbench::lasvm {

/// How a round selects among the examples not yet seen in its epoch.
enum class Selection {
  kRandom,      ///< any one
  kGradient,    ///< of `candidates` random ones, the one with the largest loss
  kActive,      ///< of `candidates` random ones, the one nearest to the decision boundary
  kAutoActive,  ///< random ones until 5 lie within the margins, `candidates` at most; of them the nearest
};

/// Which examples' gradients are kept.
enum class Gradients { kTrainingSet, kSupportSet };

struct Options {
  double lambda = 1e-4;  ///< C = 1/(lambda N)
  double tau = 1e-3;     ///< tolerance of the gradients
  Selection selection = Selection::kGradient;
  std::size_t candidates = 50;
  bool finishing = true;
  std::size_t cache_mib = 1024;  ///< bound of the kernel-row cache
  Gradients gradients = Gradients::kTrainingSet;
};

template <class T>
class Lasvm final : public BinaryLearner<T> {
 public:
  Lasvm(const Options& options, const LearnerContext<T>& context);

  /// The first round also seeds S, and counts the seeds as processed.
  RoundOutcome Round(std::span<const std::uint32_t> batch) override;
  bool Finish() override;
  TrainingOutcome MeasureTraining() override;

  /// dual: sum_s alpha_s y_s - 1/2 sum_s alpha_s f_0(x_s), f_0 without the bias.
  std::vector<std::string> Columns() const override { return {"dual", "delta", "bias", "members"}; }
  void Report(std::span<double> out) const override;
  /// Members of S with a coefficient.
  std::size_t support_vectors() const override;

  double dual() const;
  double bias() const { return bias_; }
  double alpha(std::uint32_t i) const { return alpha_[i]; }
  /// f_0(x_i) = sum_s alpha_s k(x_s, x_i) of an example whose gradient is kept, without the bias.
  double score(std::uint32_t i) const { return store_->held(i); }
  /// g_i = y_i - f_0(x_i), likewise.
  double gradient(std::uint32_t i) const { return this->label(i) - score(i); }
  std::span<const std::uint32_t> members() const { return members_; }
  double c() const { return c_; }

 protected:
  std::span<const double> Coefficients() const override { return alpha_; }
  double Bias() const override { return bias_; }

 private:
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);

  void Seed(RoundOutcome& outcome);
  std::uint32_t Select(bool* scored);
  std::uint32_t Draw(std::size_t place);
  void Insert(std::uint32_t example, double score);
  void Process(std::uint32_t example, double score, bool scored);
  bool Reprocess();
  bool StepAlong(std::uint32_t i, std::uint32_t j);
  void SetCoefficient(std::uint32_t i, double alpha);
  void Mark(std::uint32_t i);
  double Highest(std::uint32_t i) const { return this->label(i) > 0 ? c_ : 0.0; }  // B_i
  double Lowest(std::uint32_t i) const { return this->label(i) > 0 ? 0.0 : -c_; }  // A_i
  void Take(const Extremes& found);
  void RemoveNonSupport();
  void Remove(std::uint32_t example);

  Options options_;
  double c_;
  Random random_;
  std::unique_ptr<ScoreStore<T>> store_;
  std::vector<double> alpha_;           // by training example
  std::vector<std::uint32_t> members_;  // in the order in which they entered
  std::vector<std::uint32_t> idle_;     // those without a coefficient, in no order
  std::vector<bool> member_;
  std::uint32_t entered_ = 0;
  std::vector<std::uint32_t> unseen_;        // of this epoch
  std::vector<std::uint32_t> asked_;         // candidates whose scores are asked for
  std::uint32_t up_ = kNone, down_ = kNone;  // i and j of the most violating pair
  double up_gradient_ = 0, down_gradient_ = 0;
  double bias_ = 0;
};

extern template class Lasvm<float>;
extern template class Lasvm<double>;

}  // namespace okbench::lasvm
