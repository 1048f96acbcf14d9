#pragma once
// StreamRows: kernel rows for a recorded stream, evaluated ahead in tiles.
//
// A stream is recorded data, so the rows of the coming examples against the present support set can be
// evaluated together: the support set is then read from memory once a lookahead instead of once a step. When the
// set changes inside a lookahead, only the changed blocks are evaluated again for the row that is asked for. The
// values have the same bits as rows evaluated one by one, and `requested` is the same; `computed` also holds
// look-ahead values that turned out stale.

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
  /// Rows evaluated together at most; 1 switches look-ahead off.
  static constexpr std::size_t kDefaultTile = 48;

  /// The engine and the inputs must outlive this object.
  StreamRows(KernelEngine<T>& engine, const Inputs<T>& inputs, std::size_t lookahead = kDefaultTile)
      : engine_(engine), inputs_(inputs), lookahead_(lookahead == 0 ? 1 : lookahead) {}

  /// The examples that will be asked for, in this order; copied. Asking for another one is allowed: it is
  /// evaluated alone.
  void Announce(std::span<const std::uint32_t> order);

  /// k(x_example, slot) for all slots of the set; valid until the next call. Always ask with the same set.
  const T* Row(const SupportBlocks<T>& set, std::uint32_t example);

 private:
  void Fill(const SupportBlocks<T>& set);

  KernelEngine<T>& engine_;
  const Inputs<T>& inputs_;
  std::size_t lookahead_;
  std::vector<std::uint32_t> order_;
  std::size_t position_ = 0;            // next example of the announced stream
  std::size_t first_ = 0, filled_ = 0;  // examples order_[first_ .. first_ + filled_) are in the lookahead
  std::size_t stride_ = 0;
  AlignedVector<T> values_;
  std::vector<std::uint64_t> versions_;  // of the blocks when the lookahead was filled
};

extern template class StreamRows<float>;
extern template class StreamRows<double>;

}  // namespace okbench
