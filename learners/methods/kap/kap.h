#pragma once
// KAP (Richard, Bermudez and Honeine, "Online prediction of time series data with kernels", IEEE Transactions
// on Signal Processing 57(3), 2009): kernel affine projection with the coherence criterion, for regression.
// The dictionary S grows as in KNLMS (methods/knlms). The step then moves alpha towards the solutions that
// fit the last p examples. With row i of H the kernel row of the i-th last input over S and y_i its target,
//
//   alpha <- alpha + eta H' (epsilon I + H H')^-1 (y - H alpha)
//
// p = 1 is KNLMS. The system is solved by a Cholesky factor, newest example first. An example whose pivot
// rounds to 0 is left out of the step. The instance weight of the newest example multiplies eta.
//
// Cost per step: |S| + 1 kernel evaluations (k(x, x)). When x joins, one more for each of the p - 1 examples
// before it that is not in S. O(p |S| + p^3) time.

#include <cmath>
#include <cstdint>
#include <vector>

#include "learners/bases/coherence.h"
#include "learners/bases/filter_loss.h"
#include "learners/bases/one_vs_rest.h"
#include "learners/core/sums.h"
#include "learners/solvers/gram_factor.h"

namespace okbench::kap {

struct Options {
  double mu0 = 0.95;       ///< largest coherence of a new member, in [0, 1]
  double eta = 0.5;        ///< step size, in (0, 2)
  double epsilon = 1e-6;   ///< regulariser of the system
  std::size_t memory = 8;  ///< p, the number of examples in a step
  std::size_t budget = 0;  ///< maximum size of the dictionary; 0: no limit
};

template <class T>
class Method {
 public:
  static constexpr bool kKeepsRecent = true;

  Method(const Options& options, const FunctionContext& /*context*/) : options_(options) {}

  LossValue Evaluate(double f, double y) const { return SquaredErrorOf(f, y); }
  void Learn(SupportFunction<T> f, double /*score*/, double y) {
    f.Values(h_);
    if (rows_.size() == options_.memory) DropOldest(f);
    const bool joins =
        (options_.budget == 0 || f.size() < options_.budget) && coherence_.TryAdd(h_, f.Self(), options_.mu0);
    if (joins) {
      f.RecentRow(recent_);
      auto outside = recent_.begin();
      for (std::size_t i = 0; i < rows_.size(); ++i)
        rows_[i].push_back(places_[i] == kOutside ? *outside++ : h_[places_[i]]);
      for (std::size_t i = 0; i < rows_.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j) products_[i][j] += rows_[i].back() * rows_[j].back();
      places_.push_back(f.size());
      f.Add(0);
      h_.push_back(f.Self());
    } else {
      places_.push_back(kOutside);
      f.Remember();
    }
    rows_.push_back(h_);
    products_.push_back(Products(rows_, h_));
    targets_.push_back(y);
    Project(f);
  }

  void Serialize(Archive& archive) {
    coherence_.Serialize(archive);
    archive.Field("targets", targets_);
    archive.Field("places", places_);
    rows_.resize(targets_.size());
    for (std::vector<double>& row : rows_) archive.Field("row", row);
    if (!archive.reading()) return;
    products_.clear();
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        if (rows_[i].size() != rows_[0].size()) Archive::Fail("row", "does not fit the dictionary");
        if (j == 0) products_.emplace_back();
        products_[i].push_back(Dot(rows_[i], rows_[j]));
      }
  }
  bool Fits(std::size_t members) const {
    return coherence_.size() == members && places_.size() == targets_.size() &&
           targets_.size() <= options_.memory &&
           std::all_of(rows_.begin(), rows_.end(), [&](const auto& row) { return row.size() == members; }) &&
           std::all_of(places_.begin(), places_.end(),
                       [&](std::uint64_t place) { return place == kOutside || place < members; });
  }

 private:
  static constexpr std::uint64_t kOutside = static_cast<std::uint64_t>(-1);

  void DropOldest(SupportFunction<T> f) {
    if (places_.front() == kOutside) f.ForgetOldest();
    places_.erase(places_.begin());
    rows_.erase(rows_.begin());
    products_.erase(products_.begin());
    for (std::vector<double>& row : products_) row.erase(row.begin());
    targets_.erase(targets_.begin());
  }
  // Inner products of `h` with all rows. The sums of the rows are independent, so they advance together.
  static std::vector<double> Products(const std::vector<std::vector<double>>& rows,
                                      const std::vector<double>& h) {
    std::vector<double> sums(rows.size(), 0.0);
    for (std::size_t j = 0; j < h.size(); ++j)
      for (std::size_t i = 0; i < rows.size(); ++i) sums[i] += rows[i][j] * h[j];
    return sums;
  }
  void Project(SupportFunction<T> f) {
    std::vector<double> alpha(f.size());
    for (std::size_t j = 0; j < alpha.size(); ++j) alpha[j] = f.alpha(j);
    const std::vector<double> predicted = Products(rows_, alpha);
    GramFactor system;  // of epsilon I + H H'
    std::vector<std::size_t> used;
    std::vector<double> errors, inner, solution;
    for (std::size_t i = rows_.size(); i-- > 0;) {
      inner.clear();
      for (const std::size_t j : used) inner.push_back(products_[j][i]);
      system.Solve(inner, solution);
      if (!system.Grow(solution, options_.epsilon + products_[i][i], 0)) continue;
      used.push_back(i);
      errors.push_back(targets_[i] - predicted[i]);
    }
    system.Solve(errors, solution);
    for (std::size_t i = 0; i < used.size(); ++i) {
      const double step = f.weight() * options_.eta * solution[i];
      for (std::size_t j = 0; j < alpha.size(); ++j) alpha[j] += step * rows_[used[i]][j];
    }
    f.SetAlphas(alpha);
  }

  Options options_;
  Coherence coherence_;
  // The last p examples, oldest first: their kernel rows over S, targets, and places in S.
  std::vector<std::vector<double>> rows_;
  std::vector<std::vector<double>> products_;  // H H', entries j <= i
  std::vector<double> targets_;
  std::vector<std::uint64_t> places_;
  std::vector<double> h_, recent_;
};

}  // namespace okbench::kap
