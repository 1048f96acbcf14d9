#include "learners/support/row_arena.h"

#include <algorithm>
#include <new>

#include "learners/core/aligned.h"

namespace okbench {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{4} << 20;  // more for longer rows

}  // namespace

template <class T>
void RowArena<T>::Release::operator()(T* piece) const {
  ::operator delete (piece, std::align_val_t{kCacheLine});
}

template <class T>
void RowArena<T>::AddPiece() {
  const std::size_t bytes = std::max<std::size_t>(1, length_ * sizeof(T));
  const std::size_t count = std::min(std::max<std::size_t>(1, kPieceBytes / bytes), most_ - rows_);
  if (count == 0) throw std::bad_alloc();
  // Memory that was not yet touched: the system gives a page when a row first reaches it.
  pieces_.emplace_back(static_cast<T*>(::operator new (count* bytes, std::align_val_t{kCacheLine})));
  next_ = pieces_.back().get();
  left_ = count;
  rows_ += count;
}

template <class T>
T* RowArena<T>::Take() {
  if (!free_.empty()) {
    T* const row = free_.back();
    free_.pop_back();
    return row;
  }
  if (left_ == 0) AddPiece();
  T* const row = next_;
  next_ += length_;
  --left_;
  return row;
}

template class RowArena<float>;
template class RowArena<double>;

}  // namespace okbench
