#pragma once
// RowArena: an allocator for rows of one length, which takes large pieces from the system and reuses returned
// rows. Not thread-safe.

#include <cstddef>
#include <memory>
#include <vector>

namespace okbench {

template <class T>
class RowArena {
 public:
  /// An arena for at most `most` rows of `length` values.
  RowArena(std::size_t length, std::size_t most) : length_(length), most_(most) {}

  /// Returns uninitialised memory for one row: a returned row if there is one, else new memory. Aligned to a
  /// cache line if the row size is a multiple of one. Throws std::bad_alloc if `most` rows are in use.
  T* Take();
  /// Returns a row to the arena. REQUIRES: it came from Take() and is in use.
  void GiveBack(T* row) { free_.push_back(row); }
  /// Number of rows with memory, at most `most`.
  std::size_t rows() const { return rows_; }

 private:
  struct Release {
    void operator()(T* piece) const;
  };
  void AddPiece();

  std::size_t length_, most_, rows_ = 0;
  std::vector<std::unique_ptr<T, Release>> pieces_;
  T* next_ = nullptr;  // next unused row of the last piece
  std::size_t left_ = 0;
  std::vector<T*> free_;
};

extern template class RowArena<float>;
extern template class RowArena<double>;

}  // namespace okbench
