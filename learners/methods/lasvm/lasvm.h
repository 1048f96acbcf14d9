#pragma once
// LaSVM (Bordes, Ertekin, Weston and Bottou 2005; sfd-2013 section 5.1.3): online SMO with removal of
// non-support vectors, binary, with a bias or without.
//
// f(x) = sum_s alpha_s k(x_s, x) + b  with  A_s = min(0, C y_s) <= alpha_s <= max(0, C y_s) = B_s.
// C is 1/(lambda N). The gradients are g_s = y_s - sum_r alpha_r k(x_r, x_s). A pair (i, j) is tau-violating
// if alpha_i < B_i, alpha_j > A_j and g_i - g_j > tau. The step along it is
//   step = min((g_i - g_j) / (k_ii + k_jj - 2 k_ij), B_i - alpha_i, alpha_j - A_j),
//   alpha_i += step, alpha_j -= step, g_s -= step (k_is - k_js).
//
// PROCESS(k) pairs example k, with alpha_k = 0, with the extreme member of the support set S, which is j for
//   y_k = +1 and i for y_k = -1. If the pair is violating, k enters S and a step is taken. Otherwise k stays
//   out.
// REPROCESS takes a step along the most violating pair of S. Then i = argmax {g_s : alpha_s < B_s} and
//   j = argmin {g_s : alpha_s > A_s}. Members with alpha_s = 0 that can no longer be part of a violating pair
//   leave S: those with y_s = -1 and g_s >= g_i, or y_s = +1 and g_s <= g_j. Finally b = (g_i + g_j)/2 and
//   delta = g_i - g_j.
//
// Without the bias (sfd-2013, section 5.1.1) b = 0, the dual has no equality constraint, and one coefficient
// can move alone. Member s is tau-violating if alpha_s < B_s and g_s > tau, or alpha_s > A_s and -g_s > tau.
// A step moves the most violating member: alpha_s += clip(g_s / k_ss). This is the method above if every pair
// contains one additional element, whose gradient and kernel values are 0 and whose coefficient is unbounded.
// delta is then the largest violation.
//
// A round selects an example not yet seen in this epoch, applies PROCESS to it, then one REPROCESS. Finishing
// repeats REPROCESS until delta <= tau. S starts with a few examples of each class.
//
// The gradients are kept for all training examples, so that candidates need no sums, or for S alone, as in
// the authors' code: then the score of a candidate is summed over S whenever it is examined. Both take the
// same steps up to rounding, which may decide between two gradients that a step has made equal.
//
// Cost (`requested`, the same for both): |S| values per examined candidate, none for a member of S, and the
// rows over S of each step. `computed` depends on the storage. For all gradients: whole kernel rows over the
// training set, each once while it stays in the row cache. For the gradients of S: values between examined
// examples and members, as support_rows.h evaluates them. Random selection examines an example once per
// epoch, so only the rows of members stay in the cache then. It does not depend on the scores, so examples
// are drawn ahead and the rows of several are evaluated together.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "learners/bases/binary_learner.h"
#include "learners/core/random.h"
#include "learners/methods/lasvm/score_store.h"

namespace okbench::lasvm {

/// How a round selects an example among those not yet seen in the epoch.
enum class Selection {
  kRandom,      ///< one random example
  kGradient,    ///< of `candidates` random ones: the largest loss
  kActive,      ///< of `candidates` random ones: the nearest to the decision boundary
  kAutoActive,  ///< as kActive, but drawing stops when 5 are within the margins
};

/// Examples whose gradients are kept.
enum class Gradients { kTrainingSet, kSupportSet };

struct Options {
  double lambda = 1e-4;     ///< C = 1/(lambda N)
  double tolerance = 1e-3;  ///< tau above, > 0
  Selection selection = Selection::kGradient;
  std::size_t candidates = 50;   ///< maximum number of candidates per selection
  bool bias = true;              ///< learn b; else b = 0
  bool finishing = true;         ///< repeat REPROCESS at the end until no pair is violating
  std::size_t cache_mib = 1024;  ///< size of the kernel-row cache, MiB
  Gradients gradients = Gradients::kTrainingSet;
};

template <class T>
class Lasvm final : public BinaryLearner<T> {
 public:
  Lasvm(const Options& options, const LearnerContext<T>& context);

  /// The first round also seeds S and counts the seeds as processed. Ignores `batch`: the method selects
  /// examples itself.
  RoundOutcome Round(std::span<const std::uint32_t> batch) override;
  /// Up to 256 REPROCESS steps; true if no violating pair is left or finishing is off.
  bool Finish() override;
  TrainingOutcome MeasureTraining() override;

  /// dual: sum_s alpha_s y_s - 1/2 sum_s alpha_s f_0(x_s), f_0 without the bias. Kept incrementally: a step,
  /// clipped or not, adds step (g_i - g_j) - step^2/2 (k_ii + k_jj - 2 k_ij). Without the bias, the terms of
  /// the other element are 0.
  std::vector<std::string> Columns() const override { return {"dual", "delta", "bias", "members"}; }
  void Report(std::span<double> out) const override;
  /// Members of S with a nonzero coefficient.
  std::size_t support_vectors() const override;

  double dual() const { return dual_; }
  double bias() const { return bias_; }
  double alpha(std::uint32_t i) const { return alpha_[i]; }
  /// f_0(x_i) = sum_s alpha_s k(x_s, x_i), without the bias. REQUIRES: the gradient of example i is kept.
  double score(std::uint32_t i) const { return store_->held(i); }
  /// g_i = y_i - f_0(x_i). REQUIRES: the gradient of example i is kept.
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
  std::uint32_t DrawRandom();
  void Insert(std::uint32_t example, double score);
  void Process(std::uint32_t example, double score, bool scored);
  bool Reprocess();
  bool StepAlong(std::uint32_t i, std::uint32_t j);
  bool StepAlone(std::uint32_t i, std::uint32_t j);
  void SetCoefficient(std::uint32_t i, double alpha);
  void Mark(std::uint32_t i);
  double Highest(std::uint32_t i) const { return this->label(i) > 0 ? c_ * this->weight(i) : 0.0; }  // B_i
  double Lowest(std::uint32_t i) const { return this->label(i) > 0 ? 0.0 : -c_ * this->weight(i); }  // A_i
  void Take(const Extremes& extremes);
  void RemoveNonSupport();
  void Remove(std::uint32_t example);

  Options options_;
  double c_;
  Random random_;
  std::unique_ptr<ScoreStore<T>> store_;
  double dual_ = 0;
  std::vector<double> alpha_;           // by training example
  std::vector<std::uint32_t> members_;  // S, in order of entry
  std::vector<std::uint32_t> idle_;     // members with alpha = 0, unordered
  std::vector<bool> member_;
  std::uint32_t entered_ = 0;
  std::size_t lookahead_;
  std::vector<std::uint32_t> unseen_;        // examples not yet seen in this epoch
  std::vector<std::uint32_t> upcoming_;      // random selection: examples of the next rounds, the last first
  std::vector<std::uint32_t> requested_;     // candidates whose scores are requested
  std::uint32_t up_ = kNone, down_ = kNone;  // i and j of the most violating pair
  double up_gradient_ = 0, down_gradient_ = 0;
  AlignedVector<T> zeros_;  // without the bias: kernel row of the free element, by slot
  double bias_ = 0;
};

extern template class Lasvm<float>;
extern template class Lasvm<double>;

}  // namespace okbench::lasvm
