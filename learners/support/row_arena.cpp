#include "learners/support/row_arena.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <algorithm>
#include <new>

namespace okbench {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{4} << 20;  // limit, except for longer rows
constexpr std::size_t kFirstRows = 4;
constexpr std::size_t kPageBytes = 4096;

}  // namespace

template <class T>
void RowArena<T>::Release::operator()(T* piece) const {
  ::operator delete (piece, std::align_val_t{kPageBytes});
}

template <class T>
void RowArena<T>::AddPiece() {
  const std::size_t bytes = std::max<std::size_t>(1, length_ * sizeof(T));
  // Doubles the memory.
  const std::size_t wanted = std::min(std::max(kFirstRows, rows_), kPieceBytes / bytes);
  const std::size_t count = std::min(std::max<std::size_t>(1, wanted), most_ - rows_);
  if (count == 0) throw std::bad_alloc();
  pieces_.emplace_back(static_cast<T*>(::operator new (count* bytes, std::align_val_t{kPageBytes})));
  next_ = pieces_.back().get();
  left_ = count;
  rows_ += count;
#ifdef MADV_POPULATE_WRITE
  // Populating all pages at once is cheaper than one page fault each. If the system cannot, pages are faulted
  // in on first use.
  madvise(next_, count * bytes, MADV_POPULATE_WRITE);
#endif
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
