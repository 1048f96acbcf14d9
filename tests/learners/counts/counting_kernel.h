#pragma once
// Reference for the counters of the learners: a kernel that evaluates the plain formula and counts every
// requested value. Independent of the engine, its blocks and its counter.

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "tests/helpers.h"

namespace okbench::testing {

/// k(x_i, z_j) between the rows of two sets. Each call counts as one evaluation. Both sets must outlive it.
class CountingKernel {
 public:
  CountingKernel(const Kernel& kernel, const Examples<double>& left, const Examples<double>& right)
      : kernel_(kernel), left_(left), right_(right) {}

  double operator()(std::size_t i, std::size_t j) {
    ++asked_;
    return PlainKernel(kernel_, left_, i, right_, j);
  }
  /// Number of evaluations so far.
  std::uint64_t asked() const { return asked_; }
  std::size_t left() const { return left_.size(); }
  std::size_t right() const { return right_.size(); }

 private:
  Kernel kernel_;
  const Examples<double>& left_;
  const Examples<double>& right_;
  std::uint64_t asked_ = 0;
};

/// Cached values between rows of one set, k_ij = k_ji. A missing value is requested, a cached one looked up.
class HeldValues {
 public:
  explicit HeldValues(CountingKernel& kernel)
      : kernel_(kernel), values_(kernel.left() * kernel.left()), flags_(values_.size(), false) {}

  double operator()(std::uint32_t i, std::uint32_t j) {
    if (!flags_[Place(i, j)]) Hold(i, j, kernel_(i, j));
    return values_[Place(i, j)];
  }
  /// Caches a value that was computed elsewhere.
  void Hold(std::uint32_t i, std::uint32_t j, double value) {
    if (!flags_[Place(i, j)]) pairs_.emplace_back(i, j);
    flags_[Place(i, j)] = true;
    values_[Place(i, j)] = value;
  }
  /// Drops every value with drop(i, j).
  template <class Drop>
  void Forget(const Drop& drop) {
    std::erase_if(pairs_, [&](const auto& pair) {
      const bool drops = drop(pair.first, pair.second);
      if (drops) flags_[Place(pair.first, pair.second)] = false;
      return drops;
    });
  }
  void Forget() {
    Forget([](std::uint32_t, std::uint32_t) { return true; });
  }

 private:
  std::size_t Place(std::uint32_t i, std::uint32_t j) const {
    return std::size_t{std::min(i, j)} * kernel_.left() + std::max(i, j);
  }

  CountingKernel& kernel_;
  std::vector<double> values_;
  std::vector<bool> flags_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;  // all cached pairs
};

/// Scores of the right rows under coefficients of the left rows, updated incrementally from one measurement
/// to the next. Requests the row of an example when its coefficient has changed.
class FollowedReplay {
 public:
  FollowedReplay(const Kernel& kernel, const Examples<double>& left, const Examples<double>& right)
      : kernel_(kernel, left, right), rows_(left.size()) {}

  std::vector<double> Scores(const std::vector<double>& coefficients, const std::vector<bool>& changed) {
    std::vector<double> scores(kernel_.right(), 0.0);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (changed[i]) {
        rows_[i].clear();
        for (std::size_t z = 0; z < scores.size(); ++z) rows_[i].push_back(kernel_(i, z));
      }
      if (coefficients[i] == 0) continue;
      for (std::size_t z = 0; z < scores.size(); ++z) scores[z] += coefficients[i] * rows_[i].at(z);
    }
    return scores;
  }
  std::uint64_t asked() const { return kernel_.asked(); }

 private:
  CountingKernel kernel_;
  std::vector<std::vector<double>> rows_;  // cached since the last change of the coefficient
};

/// Cached row numbers of a cache of at most `bound` rows. Evicts the least recently used row first.
class PlainLru {
 public:
  /// Returns whether the row is cached, and makes it the most recently used.
  bool Touch(std::uint32_t row) {
    const auto position = std::find(rows_.begin(), rows_.end(), row);
    if (position == rows_.end()) return false;
    rows_.erase(position);
    rows_.push_back(row);
    return true;
  }
  /// Evicts rows until `coming` more rows fit under the bound. Returns the number of evicted rows.
  std::size_t MakeRoom(std::size_t coming, std::size_t bound) {
    const std::size_t before = rows_.size();
    while (!rows_.empty() && rows_.size() + coming > bound) rows_.erase(rows_.begin());
    return before - rows_.size();
  }
  void Add(std::uint32_t row) { rows_.push_back(row); }
  template <class Drop>
  void Forget(const Drop& drop) {
    std::erase_if(rows_, drop);
  }

 private:
  std::vector<std::uint32_t> rows_;  // most recently used last
};

/// Entries of a kernel row over `rows` rows in memory: a multiple of 16.
inline std::size_t Padded(std::size_t rows) { return (rows + 15) / 16 * 16; }

/// Number of kernel values computed with look-ahead. When a look-ahead starts, the rows of all its examples
/// over the support set are computed. On each request of a row, the blocks of 16 slots that have changed
/// since are computed again. If these are more than two and more than a quarter of all blocks, a new
/// look-ahead starts.
class LookAheadReplay {
 public:
  LookAheadReplay(std::size_t tile, std::vector<std::uint32_t> announced)
      : tile_(tile), announced_(std::move(announced)) {}

  /// Counts the row of an example over the first `size` slots of the set.
  void Row(std::uint32_t example, std::size_t size) {
    if (next_ == announced_.size() || announced_[next_] != example) {
      end_ = 0;  // computed alone, and the look-ahead ends
      computed_ += size;
      return;
    }
    const std::size_t blocks = Padded(size) / 16;
    if (next_ >= end_ || stale_.size() > std::max<std::size_t>(2, blocks / 4)) {
      end_ = std::min(next_ + tile_, announced_.size());
      computed_ += (end_ - next_) * size;
      stale_.clear();
    }
    for (const std::size_t block : stale_) computed_ += std::min<std::size_t>(16, size - 16 * block);
    ++next_;
  }
  void Put(std::size_t slot) { stale_.insert(slot / 16); }
  /// Counts a single value.
  void One() { ++computed_; }
  std::uint64_t computed() const { return computed_; }

 private:
  std::size_t tile_;
  std::vector<std::uint32_t> announced_;
  std::size_t next_ = 0, end_ = 0;
  std::set<std::size_t> stale_;
  std::uint64_t computed_ = 0;
};

}  // namespace okbench::testing
