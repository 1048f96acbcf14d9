#pragma once
// RankCounts: counts the pairs of examples of two classes whose scores are in order, for AUC under insertion
// and removal.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace okbench {

/// A sorted list of scores in blocks. Insert(), Remove() and Below() take O(log n) comparisons, and move at
/// most one block and the counts of the blocks.
class ScoreList {
 public:
  void Insert(float score);
  /// REQUIRES: the list contains `score`.
  void Remove(float score);
  /// 2 * (scores below `score`) + (scores equal to it).
  std::int64_t Below(float score) const;
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kBlock = 512;

  // The first block whose largest score is at least `score`; the number of blocks if all scores are smaller.
  std::size_t BlockOf(float score) const;

  std::vector<std::vector<float>> blocks_;  // none is empty
  std::vector<float> largest_;              // of each block
  std::vector<std::size_t> before_;         // scores in earlier blocks
  std::size_t size_ = 0;
};

/// Pairs of classes and their scores. With one output there are two classes, and class 1 has the higher
/// scores. Otherwise the scores of output a rank the examples of class a against those of class b, for all
/// ordered pairs (a, b) (Hand and Till 2001). Memory: 4 to 8 bytes per example and output. Not thread-safe.
class RankCounts {
 public:
  RankCounts(std::size_t classes, std::size_t outputs)
      : classes_(classes), outputs_(outputs), scores_(outputs * classes), doubled_(classes * classes) {}

  /// Adds or removes an example. REQUIRES for Remove(): it was added. Complexity: O(outputs log n).
  void Add(std::size_t label, std::span<const float> scores);
  void Remove(std::size_t label, std::span<const float> scores);

  /// Mean over the pairs of classes of the share of their examples in order, ties one half. NaN if only one
  /// class occurs.
  double Auc() const;

 private:
  const ScoreList& of(std::size_t output, std::size_t label) const {
    return scores_[output * classes_ + label];
  }
  void Count(std::size_t label, std::span<const float> scores, std::int64_t sign);

  std::size_t classes_, outputs_;
  std::vector<ScoreList> scores_;      // [output][class]
  std::vector<std::int64_t> doubled_;  // [a][b]: 2 * pairs in order + ties
};

}  // namespace okbench
