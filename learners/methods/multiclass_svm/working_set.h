#pragma once
// WorkingSet: the subproblems of one round of the batch multiclass SVM. It solves them using only the scores
// of its members. AddChanges then applies the same changes, in the same order, to the scores of all examples,
// so both get identical bits.
//
// Holds pointers to the kernel rows passed to Load. Not thread-safe.

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
  static constexpr std::size_t kMax = 48;  ///< maximum number of members; a tile of the kernel engine

  struct Member {
    std::uint32_t position;  ///< index among the active examples: in rows, scores and coefficients
    std::size_t label;       ///< class y
    double self;             ///< k(x, x) > 0
    double weight;           ///< w: the coefficients below are tau / w, at most C
    const T* row;            ///< kernel values with the active examples
  };

  /// Coefficient changes of one class, in order: change `amounts[i]` along kernel row `rows[i]`.
  struct Changes {
    std::vector<const T*> rows;
    std::vector<double> amounts;
  };

  WorkingSet(std::size_t classes, double c);

  /// Loads the members and their scores and coefficients from `dual`. Clears the changes.
  /// REQUIRES: at most kMax members.
  void Load(std::span<const Member> members, const MulticlassDual& dual);
  /// Passes over the members until nothing changes, at most eight times. Solves the subproblem of each member
  /// with a violation above `worthwhile` exactly, given the current scores. Returns whether any coefficient
  /// changed.
  bool Solve(double worthwhile);

  std::span<const Member> members() const { return members_; }
  /// Current coefficient and score of a member for class r.
  double tau(std::size_t member, std::size_t r) const { return tau_[r * kMax + member]; }
  double score(std::size_t member, std::size_t r) const { return scores_[r * kMax + member]; }
  const Changes& changes(std::size_t r) const { return changes_[r]; }
  /// scores[r * stride + s] += change * row[s] for n slots s from `first` on, for all classes r and all their
  /// changes in order.
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
  AlignedVector<double> scores_, tau_;  // [class][member], columns of kMax entries
  std::vector<double> b_, tau_new_;
  std::vector<Changes> changes_;  // by class
};

extern template class WorkingSet<float>;
extern template class WorkingSet<double>;

}  // namespace okbench::multiclass_svm
