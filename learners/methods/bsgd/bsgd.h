#pragma once
// BSGD (Wang, Crammer and Vucetic, "Breaking the curse of kernelization", JMLR 13, 2012): budgeted stochastic
// gradient descent on lambda/2 ||f||^2 + mean hinge loss, with at most B support vectors. Without a budget it
// is Pegasos with kernels (Shalev-Shwartz, Singer, Srebro and Cotter 2011) with one example per step and
// without the projection onto a ball. Step t = 1, 2, ...:
//
//   f <- (1 - eta_t lambda) f + [y f(x) < 1] eta_t y k(x, .),   eta_t = 1 / (lambda t)
//
// The margin y f(x) is computed before the shrinking. Coefficients are stored in units of 1 / (lambda t):
// then shrinking changes none of them, and a new example has the coefficient c = y:
//
//   f_t = 1 / (lambda t) sum_s c_s k(x_s, .)
//
// Budget maintenance acts on p, the support vector with the smallest |alpha|; the oldest wins ties:
//
//   removal      removes p. All |c| are 1 here, so p is the oldest.
//   projection   projects p onto the others: alpha_j += alpha_p d_j, d = K^-1 k_p (GramFactor). An example
//                with delta^2 below the rounding error of the kernel values (kGramTolerance) is projected at
//                once, even below the budget.
//   merging      merges p (merge.h) with the support vector of the same sign for which f changes least; the
//                oldest wins ties up to rounding. Gaussian kernels only. Removes p if no other has its sign.
//                With merge_points = M > 2 (Qaadan and Glasmachers, "Multi-merge budget maintenance for
//                stochastic gradient descent SVM training", 2018), p is merged with the M - 1 best of them,
//                one after the other, so maintenance is due every M - 1 additions.
//   none         no budget
//
// Cost per step: |S| kernel evaluations. Merging requests the values between p and the support vectors of its
// sign, except those with x_t, which are known, and one value per further merge. Projection requests k(x_t,
// x_t) on a margin error, unless x_t itself is p; its kernel matrix costs O(B^2) time per margin error.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "learners/bases/one_vs_rest.h"
#include "learners/methods/bsgd/merge.h"
#include "learners/solvers/gram_factor.h"

namespace okbench::bsgd {

/// Budget maintenance: what happens to the support vector p over budget.
enum class Maintenance { kRemoval, kProjection, kMerging, kNone };

struct Options : BudgetedOptions {
  double lambda = 1e-4;                                ///< regulariser: lambda/2 ||f||^2 + mean hinge loss
  Maintenance maintenance = Maintenance::kProjection;  ///< default: works with any kernel
  std::size_t merge_points = 2;                        ///< M: support vectors that become one, >= 2
};

template <class T>
class Method {
 public:
  Method(const Options& options, const FunctionContext& /*context*/) : options_(options) {}

  LossValue Evaluate(double f, double y) const { return HingeOf(f, y, 1); }
  void Learn(SupportFunction<T> f, double score, double y) {
    ++t_;
    if (y * score < 1) {
      ++updates_;
      f.SetScale(1);  // from here on alpha(j) is c_j
      options_.maintenance == Maintenance::kProjection ? Project(f, y) : Add(f, y);
    }
    f.SetScale(1 / (options_.lambda * static_cast<double>(t_)));
  }

  static auto State() {
    return state::List(
        state::Part(&Method::factor_), state::Field("t", &Method::t_),
        state::Column("updates", &Method::updates_), state::Column("removals", &Method::removals_),
        state::Column("projections", &Method::projections_), state::Column("merges", &Method::merges_));
  }
  bool Fits(std::size_t members) const {
    return options_.maintenance != Maintenance::kProjection || factor_.size() == members;
  }

 private:
  // Place of the support vector with the smallest |c|; the oldest wins ties. O(|S|).
  static std::size_t Smallest(const SupportFunction<T>& f) {
    std::size_t p = 0;
    for (std::size_t j = 1; j < f.size(); ++j)
      if (std::fabs(f.alpha(j)) < std::fabs(f.alpha(p))) p = j;
    return p;
  }

  void Add(SupportFunction<T>& f, double y) {
    f.Add(y * f.weight());
    if (options_.maintenance == Maintenance::kNone || f.size() <= options_.budget) return;
    const std::size_t p = Smallest(f);
    if (options_.maintenance == Maintenance::kMerging && MergeWith(f, p)) return;
    f.Remove(p);
    ++removals_;
  }

  void Project(SupportFunction<T>& f, double y) {
    f.Values(values_);
    factor_.Solve(values_, d_);
    const bool full = f.size() >= options_.budget;
    const std::size_t p = Smallest(f);
    // x_t has |c| = w_t: it is p itself when every other |c| is larger.
    if ((full && std::fabs(f.alpha(p)) > f.weight()) || !factor_.Grow(d_, f.Self(), kGramTolerance<T>)) {
      f.AddToAlphas(y * f.weight(), d_);
      ++projections_;
      return;
    }
    f.Add(y * f.weight());
    if (!full) return;
    const double c = f.alpha(p);
    factor_.Remove(p, d_);
    f.Remove(p);
    f.AddToAlphas(c, d_);
    ++projections_;
  }

  bool MergeWith(SupportFunction<T>& f, std::size_t p) {
    const double c = f.alpha(p);
    places_.clear();
    slots_.clear();
    others_.clear();
    for (std::size_t j = 0; j < f.size(); ++j) {
      if (j == p || f.alpha(j) * c <= 0) continue;
      places_.push_back(j);
      slots_.push_back(f.members()[j]);
      others_.push_back(f.alpha(j));
    }
    if (places_.empty()) return false;
    f.MemberRow(p, slots_, values_);
    std::vector<std::uint32_t> next;  // slots of the further partners, best first
    if (options_.merge_points == 2) {
      const auto [best, merge] = merger_.Least(c, others_, values_);
      Combine(f, p, places_[best], merge);
      return true;
    }
    const std::span<const Merge> pairs = merger_.Pairs(c, others_, values_);
    std::vector<Merge> merges(pairs.begin(), pairs.end());
    std::size_t best = Merger::Best(merges);
    const Merge first = merges[best];
    const std::size_t partner = places_[best];
    while (next.size() + 2 < options_.merge_points && merges.size() > 1) {
      merges.erase(merges.begin() + static_cast<std::ptrdiff_t>(best));
      slots_.erase(slots_.begin() + static_cast<std::ptrdiff_t>(best));
      best = Merger::Best(merges);
      next.push_back(slots_[best]);
    }
    Combine(f, p, partner, first);
    for (const std::uint32_t slot : next) {
      const std::size_t z = f.size() - 1;
      const auto members = f.members();
      const auto q =
          static_cast<std::size_t>(std::find(members.begin(), members.end(), slot) - members.begin());
      f.MemberRow(z, std::span(&slot, 1), values_);
      const std::array<double, 1> other = {f.alpha(q)};
      Combine(f, z, q, merger_.Pairs(f.alpha(z), other, values_)[0]);
    }
    return true;
  }

  // Replaces the members at p and q by their merge, which becomes the newest.
  void Combine(SupportFunction<T>& f, std::size_t p, std::size_t q, const Merge& merge) {
    z_.resize(f.features());
    other_.resize(f.features());
    f.Vector(p, z_);
    f.Vector(q, other_);
    for (std::size_t i = 0; i < z_.size(); ++i)
      z_[i] = static_cast<T>(merge.h * static_cast<double>(z_[i]) +
                             (1 - merge.h) * static_cast<double>(other_[i]));
    f.Remove(std::max(p, q));
    f.Remove(std::min(p, q));
    f.AddVector(z_, merge.alpha);
    ++merges_;
  }

  Options options_;
  GramFactor factor_;
  std::uint64_t t_ = 0, updates_ = 0, removals_ = 0, projections_ = 0, merges_ = 0;
  Merger merger_;
  std::vector<double> values_, d_, others_;
  std::vector<std::size_t> places_;
  std::vector<std::uint32_t> slots_;
  std::vector<T> z_, other_;
};

}  // namespace okbench::bsgd
