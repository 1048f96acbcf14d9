#pragma once
// WordImages: images as learners of boxes see them: visual words at the points of a grid, and the boxes of
// the objects that are looked for. How words are made of pixels is the data sets' business (datasets/images).

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

#include "learners/core/error.h"
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

/// area(a and b) / area(a or b), both not empty: areas are exact in pixels, the quotient is rounded once.
inline double Overlap(const Box& a, const Box& b) {
  const std::int64_t width = std::min(a.right, b.right) - std::max(a.left, b.left);
  const std::int64_t height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  if (width <= 0 || height <= 0) return 0;
  const std::int64_t common = width * height;
  return static_cast<double>(common) / static_cast<double>(a.area() + b.area() - common);
}

/// An object that is looked for. Difficult ones (PASCAL's flag) count neither as found nor as missed.
struct ImageObject {
  Box box;
  bool difficult = false;
};

/// What others have derived from an image at some cost and keep with it, one thing a kind. Thread-safe;
/// copies start without.
class Derived {
 public:
  Derived() = default;
  Derived(const Derived& /*other*/) {}
  Derived(Derived&& /*other*/) noexcept {}
  Derived& operator=(const Derived& /*other*/) { return *this; }
  Derived& operator=(Derived&& /*other*/) noexcept { return *this; }
  ~Derived() = default;

  /// What is kept of type T under this key, else make(): a shared_ptr<const T>, which takes its kind's place.
  template <class T, class Make>
  std::shared_ptr<const T> Get(const std::string& key, const Make& make) const {
    const std::lock_guard lock(mutex_);
    auto& [held, value] = kinds_[typeid(T)];
    if (value == nullptr || held != key) {
      value = make();
      held = key;
    }
    return std::static_pointer_cast<const T>(value);
  }

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::type_index, std::pair<std::string, std::shared_ptr<const void>>> kinds_;
};

/// One image. A point (column c, row r) of the grid lies on pixel (first + c step, first + r step).
struct WordImage {
  std::string name;
  std::uint64_t number = 0;   ///< in its name
  int width = 0, height = 0;  ///< in pixels
  int first = 0, step = 1;    ///< pixels
  int columns = 0, rows = 0;  ///< points
  int planes = 0;             ///< words at each point
  /// [plane][row][column]: words 0 .. words-1 of the set; planes may share words.
  std::vector<std::uint16_t> points;
  std::vector<ImageObject> objects;  ///< at least one is not difficult
  Derived derived{};

  const std::uint16_t* plane(int p) const {
    return points.data() + static_cast<std::size_t>(p) * static_cast<std::size_t>(columns * rows);
  }
  /// Points whose column is below pixel x are columns 0 .. ColumnsBelow(x)-1; the same for rows.
  int ColumnsBelow(int x) const { return Below(x, columns); }
  int RowsBelow(int y) const { return Below(y, rows); }

 private:
  int Below(int pixel, int count) const {
    return pixel <= first ? 0 : std::min(count, (pixel - first + step - 1) / step);
  }
};

/// The images of a data set: the inputs of structured examples. Immutable.
class WordImages final : public StructuredInputs {
 public:
  WordImages() = default;
  /// Throws InvalidArgument for an image whose objects are all difficult, a box that is empty or outside its
  /// image, or a word that is not below `word_count`.
  WordImages(std::size_t word_count, std::vector<std::shared_ptr<const WordImage>> list);

  std::size_t size() const override { return images.size(); }
  std::size_t bytes() const override;
  void Hash(const std::function<void(const void*, std::size_t)>& update) const override;
  std::shared_ptr<const StructuredInputs> Subset(std::span<const std::uint32_t> rows) const override;

  std::size_t words = 0;  ///< number of visual words, the length of a histogram
  std::vector<std::shared_ptr<const WordImage>> images;
};

/// The images as examples.
template <class T>
Examples<T> ImageExamples(WordImages images) {
  return Examples<T>::Structured(std::make_shared<const WordImages>(std::move(images)));
}

/// The images behind examples. Throws InvalidArgument when `examples` holds something else.
template <class T>
const WordImages& ImagesOf(const Examples<T>& examples) {
  const auto* images = dynamic_cast<const WordImages*>(examples.structured());
  if (images == nullptr) throw InvalidArgument("the examples are not images");
  return *images;
}

}  // namespace okbench
