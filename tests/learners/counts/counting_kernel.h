#pragma once
// What the counters of the learners are checked against: a kernel that evaluates the plain formula and counts
// every value asked for. It knows nothing of the engine, its blocks or its counter.

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "tests/helpers.h"

namespace okbench::testing {

/// k(x_i, z_j) between the rows of two sets; each call is one evaluation. The sets must outlive it.
class CountingKernel {
 public:
  CountingKernel(const Kernel& kernel, const Examples<double>& left, const Examples<double>& right)
      : kernel_(kernel), left_(left), right_(right) {}

  double operator()(std::size_t i, std::size_t j) {
    ++asked_;
    return PlainKernel(kernel_, left_, i, right_, j);
  }
  /// Calls so far.
  std::uint64_t asked() const { return asked_; }
  std::size_t left() const { return left_.size(); }
  std::size_t right() const { return right_.size(); }

 private:
  Kernel kernel_;
  const Examples<double>& left_;
  const Examples<double>& right_;
  std::uint64_t asked_ = 0;
};

/// Values between rows of one set that a method holds for a while, k_ij = k_ji: asked for when they are not
/// held, looked up when they are.
class HeldValues {
 public:
  explicit HeldValues(CountingKernel& kernel)
      : kernel_(kernel), values_(kernel.left() * kernel.left()), held_(values_.size(), false) {}

  double operator()(std::uint32_t i, std::uint32_t j) {
    if (!held_[Place(i, j)]) Hold(i, j, kernel_(i, j));
    return values_[Place(i, j)];
  }
  /// Holds a value that came from elsewhere.
  void Hold(std::uint32_t i, std::uint32_t j, double value) {
    if (!held_[Place(i, j)]) pairs_.emplace_back(i, j);
    held_[Place(i, j)] = true;
    values_[Place(i, j)] = value;
  }
  /// Drops the values for which drop(i, j).
  template <class Drop>
  void Forget(const Drop& drop) {
    std::erase_if(pairs_, [&](const auto& pair) {
      const bool drops = drop(pair.first, pair.second);
      if (drops) held_[Place(pair.first, pair.second)] = false;
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
  std::vector<bool> held_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;  // all that is held
};

/// Scores of the right rows under coefficients of the left ones, which follow the coefficients from one
/// measurement to the next: the row of an example is asked for when its coefficient has changed.
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
  std::vector<std::vector<double>> rows_;  // held since the coefficient's last change
};

/// Which rows a cache of at most `bound` rows holds, the least recently used going first.
class PlainLru {
 public:
  /// Whether the row is held; then it becomes the most recently used.
  bool Touch(std::uint32_t row) {
    const auto found = std::find(rows_.begin(), rows_.end(), row);
    if (found == rows_.end()) return false;
    rows_.erase(found);
    rows_.push_back(row);
    return true;
  }
  /// Makes room for `coming` more rows under the bound; returns how many rows it dropped.
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
  std::vector<std::uint32_t> rows_;  // the most recently used last
};

/// Entries of a kernel row over `rows` rows as it lies in memory: whole blocks of 16.
inline std::size_t Padded(std::size_t rows) { return (rows + 15) / 16 * 16; }

/// What is evaluated for a stream whose rows are evaluated ahead in tiles: at the start of a tile the rows of
/// all its examples over the support set, and for each row that is asked for the blocks of 16 slots into
/// which an example was put since. When those are more than two and more than a quarter of all, a new tile
/// starts.
class LookAheadReplay {
 public:
  LookAheadReplay(std::size_t tile, std::vector<std::uint32_t> announced)
      : tile_(tile), announced_(std::move(announced)) {}

  /// The row of an example over `size` slots, the first of the set.
  void Row(std::uint32_t example, std::size_t size) {
    if (next_ == announced_.size() || announced_[next_] != example) {
      end_ = 0;  // evaluated alone; the tile is gone
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
  /// A single value.
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
