#include "learners/support/row_arena.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <algorithm>
#include <new>

namespace okbench {
namespace {

constexpr std::size_t kPage = std::size_t{2} << 20;           // a large one
constexpr std::size_t kLargestPiece = std::size_t{64} << 20;  // but for longer rows
constexpr std::align_val_t kPageAlignment{kPage};

}  // namespace

template <class T>
void RowArena<T>::Release::operator()(T* piece) const {
  ::operator delete(piece, kPageAlignment);
}

// As many rows again as there are, which touches no memory before they are used.
template <class T>
void RowArena<T>::AddPiece() {
  const std::size_t bytes = std::max<std::size_t>(1, length_ * sizeof(T));
  const std::size_t wanted = std::min(std::max(rows_, kPage / bytes), kLargestPiece / bytes);
  const std::size_t count = std::min(std::max<std::size_t>(1, wanted), most_ - rows_);
  if (count == 0) throw std::bad_alloc();
  pieces_.emplace_back(static_cast<T*>(::operator new(count* bytes, kPageAlignment)));
  next_ = pieces_.back().get();
  left_ = count;
  rows_ += count;
#ifdef __linux__
  // The system clears memory when it is first touched: in large pages that takes a fraction of the time.
  if (count * bytes >= kPage) madvise(next_, count * bytes / kPage * kPage, MADV_HUGEPAGE);
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
