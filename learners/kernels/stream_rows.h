#pragma once
// StreamRows: kernel rows of a recorded stream, evaluated ahead.
//
// The kernel rows of the next examples are evaluated together against the current support set. The support
// set is then read from memory once per look-ahead instead of once per step. If the set changes within a
// look-ahead, only the changed blocks of the requested row are evaluated again. Values have the same bits as
// rows evaluated one by one, and `requested` is the same; `computed` also includes look-ahead values that
// became stale. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/core/aligned.h"
#include "learners/kernels/engine.h"

namespace okbench {

template <class T>
class StreamRows {
 public:
  /// Default of `lookahead`.
  static constexpr std::size_t kDefaultLookahead = 48;

  /// The engine and the inputs must outlive this object. `lookahead` is the maximum number of
  /// rows evaluated together; 0 and 1 disable look-ahead.
  StreamRows(KernelEngine<T>& engine, const Inputs<T>& inputs, std::size_t lookahead = kDefaultLookahead)
      : engine_(engine), inputs_(inputs), lookahead_(lookahead == 0 ? 1 : lookahead) {}

  /// Sets the examples that will be requested, in order; copied. Requesting another example is allowed; it is
  /// evaluated alone.
  void Announce(std::span<const std::uint32_t> order);

  /// k(x_example, slot) for all slots of the set, valid until the next call. Counts set.size() values as
  /// requested. REQUIRES: every call passes the same set.
  const T* Row(const SupportBlocks<T>& set, std::uint32_t example);

 private:
  void Fill(const SupportBlocks<T>& set);

  KernelEngine<T>& engine_;
  const Inputs<T>& inputs_;
  std::size_t lookahead_;
  std::vector<std::uint32_t> order_;
  std::size_t position_ = 0;            // next example of the announced stream
  std::size_t first_ = 0, filled_ = 0;  // order_[first_ .. first_ + filled_) is evaluated
  std::size_t stride_ = 0;
  AlignedVector<T> values_;
  std::vector<std::uint64_t> versions_;  // of the blocks when they were evaluated
};

extern template class StreamRows<float>;
extern template class StreamRows<double>;

}  // namespace okbench
