#pragma once
// WordImages: images as inputs of box learners, i.e. visual words at the points of a grid and the boxes of
// the objects. datasets/images computes words from pixels.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

#include "base/error.h"
#include "learners/core/examples.h"

namespace okbench {

/// A rectangle of pixels: columns left .. right-1, rows top .. bottom-1, counted from 0.
struct Box {
  int left = 0, top = 0, right = 0, bottom = 0;
  int width() const { return right - left; }
  int height() const { return bottom - top; }
  std::int64_t area() const { return std::int64_t{width()} * height(); }
  bool empty() const { return right <= left || bottom <= top; }
  friend bool operator==(const Box&, const Box&) = default;
};

/// area(a and b) / area(a or b). Areas are exact; the quotient is rounded once. REQUIRES: no box is empty.
inline double Overlap(const Box& a, const Box& b) {
  const std::int64_t width = std::min(a.right, b.right) - std::max(a.left, b.left);
  const std::int64_t height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  if (width <= 0 || height <= 0) return 0;
  const std::int64_t common = width * height;
  return static_cast<double>(common) / static_cast<double>(a.area() + b.area() - common);
}

/// An object to find. Difficult objects (PASCAL's flag) count neither as found nor as missed.
struct ImageObject {
  Box box;
  bool difficult = false;
};

/// Cache of data derived from an image, one entry per type. Copies start empty. Thread-safe.
class Derived {
 public:
  Derived() = default;
  Derived(const Derived& /*other*/) {}
  Derived(Derived&& /*other*/) noexcept {}
  Derived& operator=(const Derived& /*other*/) { return *this; }
  Derived& operator=(Derived&& /*other*/) noexcept { return *this; }
  ~Derived() = default;

  /// Returns the cached T with this key, else make(), a shared_ptr<const T>, which replaces the cached T.
  template <class T, class Make>
  std::shared_ptr<const T> Get(const std::string& key, const Make& make) const {
    const std::lock_guard lock(mutex_);
    auto& [cached_key, value] = kinds_[typeid(T)];
    if (value == nullptr || cached_key != key) {
      value = make();
      cached_key = key;
    }
    return std::static_pointer_cast<const T>(value);
  }

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::type_index, std::pair<std::string, std::shared_ptr<const void>>> kinds_;
};

/// One image. Point (column c, row r) of the grid is at pixel (first + c step, first + r step).
struct WordImage {
  std::string name;
  std::uint64_t number = 0;   ///< number in the image's name
  int width = 0, height = 0;  ///< size in pixels
  int first = 0, step = 1;    ///< position of the first point and distance of points, in pixels
  int columns = 0, rows = 0;  ///< size of the grid in points
  int planes = 0;             ///< words per point
  /// Words by [plane][row][column], below WordImages::words. Planes may share words.
  std::vector<std::uint16_t> points;
  std::vector<ImageObject> objects;  ///< objects; at least one is not difficult
  Derived derived{};

  const std::uint16_t* plane(int p) const {
    return points.data() + static_cast<std::size_t>(p) * static_cast<std::size_t>(columns * rows);
  }
  /// Number of point columns below pixel x; RowsBelow is the same for rows.
  int ColumnsBelow(int x) const { return Below(x, columns); }
  int RowsBelow(int y) const { return Below(y, rows); }

 private:
  int Below(int pixel, int count) const {
    return pixel <= first ? 0 : std::min(count, (pixel - first + step - 1) / step);
  }
};

/// The images of a data set, the inputs of structured examples. Immutable.
class WordImages final : public StructuredInputs {
 public:
  WordImages() = default;
  /// Throws InvalidArgument if an image has no object that is not difficult, a box is empty or outside its
  /// image, a word is not below `word_count`, or the number of words is wrong.
  WordImages(std::size_t word_count, std::vector<std::shared_ptr<const WordImage>> list);

  std::size_t size() const override { return images.size(); }
  std::size_t bytes() const override;
  void Hash(const std::function<void(const void*, std::size_t)>& update) const override;
  std::shared_ptr<const StructuredInputs> Subset(std::span<const std::uint32_t> rows) const override;

  std::size_t words = 0;  ///< number of visual words, the length of a histogram
  std::vector<std::shared_ptr<const WordImage>> images;
};

/// Wraps images as structured examples.
template <class T>
Examples<T> ImageExamples(WordImages images) {
  return Examples<T>::Structured(std::make_shared<const WordImages>(std::move(images)));
}

/// Returns the images of structured examples. Throws InvalidArgument if `examples` holds something else.
template <class T>
const WordImages& ImagesOf(const Examples<T>& examples) {
  const auto* images = dynamic_cast<const WordImages*>(examples.structured());
  if (images == nullptr) throw InvalidArgument("the examples are not images");
  return *images;
}

}  // namespace okbench
