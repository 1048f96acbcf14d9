#pragma once
// RowArena: memory of rows of one length, taken from the system in large pieces and used again. Not
// thread-safe.

#include <cstddef>
#include <memory>
#include <vector>

namespace okbench {

template <class T>
class RowArena {
 public:
  /// Rows of `length` values, `most` at a time.
  RowArena(std::size_t length, std::size_t most) : length_(length), most_(most) {}

  /// Memory of a row on a cache line, of any content: of one that was given back, else new.
  /// Throws std::bad_alloc when all rows are in use.
  T* Take();
  /// The row is in use no more.
  void GiveBack(T* row) { free_.push_back(row); }
  /// Rows that there is memory for, at most `most`.
  std::size_t rows() const { return rows_; }

 private:
  struct Release {
    void operator()(T* piece) const;
  };
  void AddPiece();

  std::size_t length_, most_, rows_ = 0;
  std::vector<std::unique_ptr<T, Release>> pieces_;
  T* next_ = nullptr;  // not yet used, of the last piece
  std::size_t left_ = 0;
  std::vector<T*> free_;
};

extern template class RowArena<float>;
extern template class RowArena<double>;

}  // namespace okbench
