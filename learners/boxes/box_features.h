#pragma once
// What a box looks like: the histogram of its visual words, cell by cell of a spatial pyramid, and functions
// of it, f(x, y) = sum_s tau_s k(psi_s, psi(x, y)) over support boxes s.
//
// Two kernels: histogram intersection of raw counts, k = 2^-10 sum_d min(h_d, h'_d) (a fixed fraction), and
// the linear one of histograms with Euclidean norm 1. Coefficients are whole multiples of 2^-32 and sums of
// them are exact: a score has the same bits in whatever order, and by whichever search, it is found.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "learners/boxes/word_images.h"
#include "learners/boxes/box_space.h"

namespace okbench {

inline constexpr double kUnitsOfOne = static_cast<double>(std::int64_t{1} << 32);
inline constexpr double kFraction = 1.0 / 1024;  ///< of the intersection kernel

enum class BoxKernel { kIntersection, kNormalisedLinear };

/// The counts that are not 0. Entry d = cell * words + word, increasing.
struct BoxHistogram {
  struct Entry {
    std::uint32_t place = 0, count = 0;
  };
  std::vector<Entry> entries;
  std::uint64_t square = 0;  ///< sum of the squared counts
};

/// psi(x, y). `lines` are the image's.
BoxHistogram HistogramOf(const WordImage& image, const PointLines& lines, std::size_t words, int levels,
                         const Box& box);

/// k(a, b).
double KernelOf(BoxKernel kernel, const BoxHistogram& a, const BoxHistogram& b);

class BoxTape;

/// An image with what its boxes' scores need; refers to image and list.
class BoxImage {
 public:
  BoxImage(const WordImage& image, const BoxList& list);
  const WordImage& image() const { return *image_; }
  const BoxList& list() const { return *list_; }
  const PointLines& lines() const { return lines_; }
  /// The words of a column of points, from top to bottom.
  const std::uint16_t* column(int c, int plane) const {
    return by_column_.data() + static_cast<std::ptrdiff_t>(c * image_->planes + plane) * image_->rows;
  }
  /// 1 / ||h|| of every box of the list, 0 for empty histograms. Made by the first call, and kept with the
  /// image for others, as the tape is.
  std::shared_ptr<const std::vector<double>> InverseNorms(std::size_t words, int levels) const;
  std::shared_ptr<const BoxTape> Tape(std::size_t words, int levels) const;

 private:
  const WordImage* image_;
  const BoxList* list_;
  PointLines lines_;
  std::vector<std::uint16_t> by_column_;  // [column][plane][row]
};

/// ||h||^2 of every box of the image's list, by sliding windows, and by tables of rectangles, which is much
/// faster where all cells begin and end at few places, as a grid's do; empty where they do not.
std::vector<std::uint64_t> SlideSquares(const BoxImage& image, std::size_t words, int levels);
std::vector<std::uint64_t> TableSquares(const BoxImage& image, std::size_t words, int levels);

/// sum_w (count of w)^2 in rectangles whose sides are where cells of the list's boxes begin and end.
class RectangleSquares {
 public:
  RectangleSquares(const BoxImage& image, std::size_t words, int levels);
  /// There are too many such places for a table.
  bool empty() const { return sums_.empty(); }
  std::uint64_t Of(const PointRange& range) const;

 private:
  std::size_t width_ = 0;
  std::vector<std::size_t> column_, row_;  // places of lines
  std::vector<std::uint32_t> sums_;
};

/// 1 / sqrt(square), 0 for 0.
double InverseNorm(std::uint64_t square);

/// An image, and where the scores of its list's boxes go.
struct ScoredImage {
  const BoxImage* image = nullptr;
  std::span<double> scores;
};

/// f over boxes. Not thread-safe.
class BoxFunction {
 public:
  BoxFunction(BoxKernel kernel, std::size_t words, int levels);

  /// Changes the coefficient of a support box. One that goes back to 0 leaves nothing behind.
  void Move(const BoxHistogram& support, double from, double to);
  void Clear();

  /// f of one box; the same bits as ScoreAll has.
  double Score(const BoxHistogram& box) const;
  /// Whether scores of boxes with so many points are exact; else they are not a number, as where the method
  /// has diverged.
  bool Fits(std::size_t points) const;
  /// scores[y] = f of box y of its image's list. Several images at once are faster than one by one.
  void ScoreAll(std::span<const ScoredImage> images);

  BoxKernel kernel() const { return kernel_; }
  std::size_t words() const { return words_; }
  int levels() const { return levels_; }
  /// kNormalisedLinear: weights by place, in units.
  std::span<const std::int64_t> weights() const { return weights_; }
  /// kIntersection: what the (c + 1)-th point of a place adds, in units, for c < steps(place).size().
  std::span<const std::int64_t> steps(std::size_t place) const {
    return {pool_.data() + places_[place].first, places_[place].length};
  }
  /// Sums of units as scores.
  static double IntersectionScore(std::int64_t units) {
    return static_cast<double>(units) * (kFraction / kUnitsOfOne);
  }
  static double LinearScore(std::int64_t units, double inverse_norm) {
    return static_cast<double>(units) * (1 / kUnitsOfOne) * inverse_norm;
  }

 private:
  // Steps first .. first + length - 1 of the pool, then a 0; room for more. Without any it is the pool's 0.
  struct Place {
    std::uint32_t first = 0, length = 0, room = 0;
  };
  void ScoreLinear(const BoxImage& image, std::span<double> out);
  template <std::size_t kBoundaries>
  void ScoreByStrips(const BoxImage& image, std::span<double> out) const;
  void ScoreIntersection(std::span<const ScoredImage> images);
  void Slide(std::size_t cell, int level, int i, int j, const BoxImage& image,
             std::span<std::int64_t> sums) const;
  std::int64_t Units(double value);
  void MakeRoom(Place& place, std::uint32_t length);

  BoxKernel kernel_;
  std::size_t words_;
  int levels_;
  std::vector<std::int64_t> weights_;
  std::vector<Place> places_;
  double mass_ = 0;      // sum of |tau| times points
  bool broken_ = false;  // a coefficient was no number, or too large
  std::vector<std::int64_t> pool_ = {0};
  std::vector<std::int64_t> integral_;  // scratch
};

}  // namespace okbench
