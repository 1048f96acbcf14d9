#pragma once
// ActiveRows: cached kernel rows over the active examples, by position among them, in one piece of memory
// that is kept when examples are left out: rows are made shorter where they lie. The least recently used go
// first.
//
// Which rows are held changes `computed`, never a value. Not thread-safe.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <vector>

#include "learners/core/aligned.h"
#include "learners/kernels/vector_ops.h"

namespace okbench::multiclass_svm {

template <class T>
class ActiveRows {
 public:
  /// Holds as many rows as fit into `bytes`, and `least` whatever their width.
  ActiveRows(std::size_t bytes, std::size_t least) : bytes_(bytes), least_(least) {}

  /// Holds no row any more; rows have `width` values from now on, of as many positions.
  void Restart(std::size_t width);

  /// The row of a position; null when it is not held. Valid until the next call of another function.
  const T* Row(std::uint32_t position) const {
    return slots_[position] == kNone ? nullptr : memory_.get() + std::size_t{slots_[position]} * width_;
  }

  /// Makes these positions, all different, the most recently used ones in this order, those that are not
  /// held last. evaluate(missing, out) is called once for these, with room for rows of `width` values, one
  /// after the other.
  template <class Evaluate>
  void Bring(std::span<const std::uint32_t> wanted, const Evaluate& evaluate) {
    Arrange(wanted);
    if (missing_.empty()) return;
    const bool together = next_ + missing_.size() <= Bound(wanted.size());
    if (!together) apart_.resize(missing_.size() * width_);
    T* const out = together ? memory_.get() + next_ * width_ : apart_.data();
    evaluate(std::span<const std::uint32_t>(missing_), out);
    Store(together ? nullptr : apart_.data());
  }

  /// The positions whose bit is set in `kept` (as VectorOps::Compact has it) are numbered anew, in their
  /// order, `count` of them; rows have `width` values, no more than before, from now on. Rows of the others
  /// go.
  void Keep(std::span<const std::uint64_t> kept, std::size_t count, std::size_t width);

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  std::size_t Bound(std::size_t wanted) const { return std::max(bytes_ / (width_ * sizeof(T)), wanted); }
  void Arrange(std::span<const std::uint32_t> wanted);
  void Store(const T* rows);

  struct Free {
    std::size_t values = 0;
    void operator()(T* memory) const { CacheLineAllocator<T>().deallocate(memory, values); }
  };

  std::size_t bytes_, least_;
  VectorOps<T> ops_;
  std::size_t width_ = 0;
  std::unique_ptr<T, Free> memory_;    // not touched before it is used
  std::size_t next_ = 0;               // slots from here on were never used
  std::vector<std::uint32_t> slots_;   // by position
  std::vector<std::uint32_t> owners_;  // positions, by slot below next_
  std::vector<std::uint32_t> free_;    // slots below next_
  std::list<std::uint32_t> recent_;    // positions, most recently used first
  std::vector<std::list<std::uint32_t>::iterator> used_;
  std::vector<std::uint32_t> missing_;
  AlignedVector<T> apart_;
};

extern template class ActiveRows<float>;
extern template class ActiveRows<double>;

}  // namespace okbench::multiclass_svm
