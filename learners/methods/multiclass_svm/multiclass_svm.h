#pragma once
// MulticlassSvm (Crammer and Singer 2001): batch multiclass SVM by its dual, the reference method of
// budget-2003.
//
//   primal  min_M 1/2 sum_r ||M_r||^2 + C sum_i max(0, max_{r != y_i} (1 + M_r . x_i) - M_{y_i} . x_i)
//   dual    max_tau sum_i tau_{i,y_i} - 1/2 sum_r ||sum_i tau_ir x_i||^2
//           subject to tau_ir <= C [r = y_i],  sum_r tau_ir = 0
//
// with M_r = sum_i tau_ir x_i. The scores F_ir = M_r . x_i of all training examples are kept. From them
// follow the violation
//
//   psi_i = max_r g_ir - min_{r: tau_ir < C [r = y_i]} g_ir,   g_ir = F_ir - [r = y_i]
//
// and the duality gap, in O(n classes) per round. A round takes the examples with the largest violations,
// evaluates their kernel rows together, and solves their subproblems one after the other, each with the
// scores updated by the previous ones (WorkingSet). Then it updates all scores, violations and slacks, a few
// hundred examples at a time, so that they stay in the CPU cache.
//
// Shrinking excludes examples that are not support vectors and are classified with a large margin. They
// return, with recomputed scores, before the method finishes. The method finishes when, on the whole training
// set, (primal - dual) <= tolerance * primal.
//
// Cost per round: `requested` counts whole rows of the working set over the active examples, each round
// again. `computed` counts each row once while it stays in the row cache; the least recently used row is
// evicted first. Owns its packed copy of the training rows; not thread-safe.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "learners/api/learner.h"
#include "learners/api/model.h"
#include "learners/core/eigen.h"
#include "learners/kernels/engine.h"
#include "learners/kernels/vector_ops.h"
#include "learners/methods/multiclass_svm/active_rows.h"
#include "learners/methods/multiclass_svm/working_set.h"
#include "learners/outputs/label_distance.h"

namespace okbench::multiclass_svm {

struct Options {
  double c = 1;                      ///< C, weight of the losses, > 0
  double tolerance = 1e-3;           ///< relative duality gap at which the method finishes
  std::size_t cache_mib = 512;       ///< size of the kernel-row cache, MiB
  bool shrinking = true;             ///< exclude examples that are classified with a large margin
  std::size_t max_rounds = 1000000;  ///< limit of rounds
};

template <class T>
class MulticlassSvm final : public SolverLearner, public RanksExamples, public GivesModel {
 public:
  /// Throws InvalidArgument if the labels are not multiclass.
  MulticlassSvm(const Options& options, const LearnerContext<T>& context);

  /// Throws InvalidArgument if a k(x, x) is not finite. An example with k(x, x) = 0 keeps tau = 0 and its
  /// loss.
  void Announce(std::span<const std::uint32_t> order) override;
  RoundOutcome Round() override;

  std::vector<std::string> Columns() const override { return {"primal", "dual", "relative_gap", "active"}; }
  void Report(std::span<double> out) const override;
  std::size_t support_vectors() const override { return support_; }
  const KernelCounts& counts() const override { return engine_.counts(); }
  TestOutcome Test() override;
  AnyModel CurrentModel() const override;
  /// out[i] = max_{r != y} f_r(x) - f_y(x): positive if the example is predicted wrongly.
  void Violations(RankedPart part, std::span<const std::uint32_t> rows, std::span<double> out) override;

  double primal() const { return primal_; }
  double dual() const { return dual_; }
  /// Coefficient of the example announced at this place; 0 if it is not active.
  double tau(std::size_t place, std::size_t r) const;
  /// Places of the active examples, ascending. score(): F_r of the active example at this position.
  std::span<const std::uint32_t> active() const { return active_; }
  double score(std::size_t position, std::size_t r) const { return scores_[r * stride_ + position]; }

 private:
  void Activate(std::vector<std::uint32_t> places);
  void Shrink(double largest);
  void Unshrink();
  MulticlassDual Dual() const {
    return {classes_, stride_, options_.c, scores_.data(), tau_.data(), labels_.data()};
  }
  double weight(std::size_t position) const { return train_.examples->weight(order_[active_[position]]); }
  bool is_support(std::size_t position) const { return is_support_[position] != 0; }
  double self(std::size_t position) const { return self_[active_[position]]; }
  double Measure(RoundOutcome* outcome);
  std::vector<std::uint32_t> MostViolating() const;
  void PrepareRows(const std::vector<std::uint32_t>& positions);
  void Apply();
  void Look(std::size_t first, std::size_t n);
  std::vector<double> Scores(const Inputs<T>& inputs, std::span<const std::uint32_t> rows, Purpose purpose);

  Options options_;
  std::size_t classes_;
  KernelEngine<T> engine_;
  VectorOps<T> ops_;
  VectorOps<double> column_ops_;
  ExampleInputs<T> train_;
  ExampleInputs<T> test_;
  PredictionLoss task_loss_;

  std::vector<std::uint32_t> order_;  // place -> training example
  std::vector<double> self_;          // [place]

  // The active examples. A position is an index into active_.
  std::vector<std::uint32_t> active_;  // position -> place, ascending
  std::unique_ptr<SupportBlocks<T>> blocks_;
  std::size_t stride_ = 0;
  AlignedVector<double> scores_, tau_;  // [class][position], columns of `stride_` entries; tau_ holds tau / w
  AlignedVector<double> labels_, violations_, slacks_;  // [position]; padding: -1, unspecified, unspecified
  std::vector<std::uint8_t> is_support_;                // [position]
  std::size_t support_ = 0;                             // number of support vectors
  ActiveRows<T> rows_;
  WorkingSet<T> set_;

  double primal_ = 0, dual_ = 0, relative_gap_ = 1;
  std::size_t round_ = 0;
};

extern template class MulticlassSvm<float>;
extern template class MulticlassSvm<double>;

}  // namespace okbench::multiclass_svm
