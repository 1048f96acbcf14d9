#pragma once
// WorkingSet: the small problems of one round of the batch multiclass SVM, solved on the scores of its
// members alone; what they change in all other scores is added afterwards, in the same order, so with the
// same bits.
//
// Refers to the kernel rows that it was given. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/core/aligned.h"
#include "learners/kernels/vector_ops.h"
#include "learners/solvers/capped_simplex.h"

namespace okbench::multiclass_svm {

template <class T>
class WorkingSet {
 public:
  static constexpr std::size_t kMost = 48;  ///< members; a tile of the kernel engine

  struct Member {
    std::uint32_t position;  ///< among the active examples: its place in rows, scores and coefficients
    std::size_t label;
    double self;   ///< k(x, x) > 0
    const T* row;  ///< kernel values with the active examples
  };

  /// Of the coefficients of one class, in the order in which they came.
  struct Changes {
    std::vector<const T*> rows;
    std::vector<double> amounts;
  };

  WorkingSet(std::size_t classes, double c);

  /// Takes at most kMost members with their columns of `dual`.
  void Load(std::span<const Member> members, const MulticlassDual& dual);
  /// Passes over the members, each problem solved exactly with the scores as the others left them, where the
  /// violation is above `worthwhile`; until nothing changes, eight passes at most. False when nothing did.
  bool Solve(double worthwhile);

  std::span<const Member> members() const { return members_; }
  /// Coefficient and score of a member as they are now.
  double tau(std::size_t member, std::size_t r) const { return tau_[r * kMost + member]; }
  double score(std::size_t member, std::size_t r) const { return scores_[r * kMost + member]; }
  const Changes& changes(std::size_t r) const { return changes_[r]; }
  /// scores[r * stride + s] += change * row[s] for the changes of all classes r and n slots from `first` on,
  /// in the order in which they came.
  void AddChanges(std::size_t first, std::size_t n, std::size_t stride, double* scores) const;

 private:
  double Violation(std::size_t member) const;
  bool SolveOne(std::size_t member);

  std::size_t classes_;
  double c_;
  VectorOps<T> ops_;
  CappedSimplexSolver solver_;
  std::vector<Member> members_;
  AlignedVector<T> gram_;               // [member][member]
  AlignedVector<double> scores_, tau_;  // [class][member], columns of kMost entries
  std::vector<double> b_, tau_new_;
  std::vector<Changes> changes_;  // by class
};

extern template class WorkingSet<float>;
extern template class WorkingSet<double>;

}  // namespace okbench::multiclass_svm
