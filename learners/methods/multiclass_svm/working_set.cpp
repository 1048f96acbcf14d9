#include "learners/methods/multiclass_svm/working_set.h"

#include <algorithm>
#include <limits>

namespace okbench::multiclass_svm {
namespace {

constexpr std::size_t kPasses = 8;  // maximum number of passes over the working set per round

}  // namespace

template <class T>
WorkingSet<T>::WorkingSet(std::size_t classes, double c)
    : classes_(classes),
      c_(c),
      solver_(classes),
      gram_(kMax * kMax, T(0)),
      scores_(classes * kMax, 0.0),
      tau_(classes * kMax, 0.0),
      b_(classes),
      tau_new_(classes),
      changes_(classes) {}

template <class T>
void WorkingSet<T>::Load(std::span<const Member> members, const MulticlassDual& dual) {
  members_.assign(members.begin(), members.end());
  for (std::size_t m = 0; m < members.size(); ++m) {
    const std::size_t position = members[m].position;
    for (std::size_t other = 0; other < members.size(); ++other)
      gram_[other * kMax + m] = members[other].row[position];
    for (std::size_t r = 0; r < classes_; ++r) {
      scores_[r * kMax + m] = dual.scores[r * dual.stride + position];
      tau_[r * kMax + m] = dual.tau[r * dual.stride + position];
    }
  }
  for (Changes& changes : changes_) {
    changes.rows.clear();
    changes.amounts.clear();
  }
}

// psi of the member; the same definition as VectorOps::Violations.
template <class T>
double WorkingSet<T>::Violation(std::size_t member) const {
  const std::size_t y = members_[member].label;
  double highest = -std::numeric_limits<double>::infinity();
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t r = 0; r < classes_; ++r) {
    const double g = score(member, r) - (r == y ? 1 : 0);
    highest = std::max(highest, g);
    if (tau(member, r) < (r == y ? c_ : 0)) lowest = std::min(lowest, g);
  }
  return highest - lowest;
}

// Solves the subproblem of one member exactly. Returns whether a coefficient changed.
template <class T>
bool WorkingSet<T>::SolveOne(std::size_t member) {
  const Member& solved = members_[member];
  const double self = solved.self * solved.weight;
  for (std::size_t r = 0; r < classes_; ++r) b_[r] = score(member, r) - self * tau(member, r);
  b_[solved.label] -= 1;
  solver_.Solve(self, b_, solved.label, c_, tau_new_);
  bool changed = false;
  for (std::size_t r = 0; r < classes_; ++r) {
    double& coefficient = tau_[r * kMax + member];
    const double change = solved.weight * (tau_new_[r] - coefficient);
    if (tau_new_[r] == coefficient) continue;
    ops_.AddScaled(gram_.data() + member * kMax, kMax, change, scores_.data() + r * kMax);
    changes_[r].rows.push_back(solved.row);
    changes_[r].amounts.push_back(change);
    coefficient = tau_new_[r];
    changed = true;
  }
  return changed;
}

template <class T>
bool WorkingSet<T>::Solve(double worthwhile) {
  bool progress = false;
  for (std::size_t pass = 0; pass < kPasses; ++pass) {
    bool changed = false;
    for (std::size_t m = 0; m < members_.size(); ++m)
      if (Violation(m) > worthwhile) changed = SolveOne(m) || changed;
    if (!changed) break;
    progress = true;
  }
  return progress;
}

template <class T>
void WorkingSet<T>::AddChanges(std::size_t first, std::size_t n, std::size_t stride, double* scores) const {
  for (std::size_t r = 0; r < classes_; ++r) {
    const auto& [rows, amounts] = changes_[r];
    if (!rows.empty())
      ops_.AddListed(rows.data(), first, rows.size(), n, amounts.data(), scores + r * stride + first);
  }
}

template class WorkingSet<float>;
template class WorkingSet<double>;

}  // namespace okbench::multiclass_svm
