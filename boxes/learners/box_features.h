#pragma once
// Features of a box: histograms of visual words over the cells of a spatial pyramid, and functions of them,
// f(x, y) = sum_s tau_s k(psi_s, psi(x, y)) over support boxes s.
//
// Kernels: histogram intersection of raw counts, k = 2^-10 sum_d min(h_d, h'_d), and linear kernels of
// histograms that are divided by a norm or not. Coefficients are integer multiples of 2^-32 and their sums
// are exact. A score therefore has the same bits in every order of summation and in every search.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "boxes/learners/box_space.h"
#include "boxes/learners/word_images.h"

namespace okbench {

inline constexpr double kFixedPointOne = static_cast<double>(std::int64_t{1} << 32);
inline constexpr double kIntersectionFactor = 1.0 / 1024;  ///< factor of the intersection kernel
// Factors of linear kernels: with them, k(x, x) of most boxes is below 1, as with L2 norms, and so the same
// regularisation fits.
inline constexpr double kL1Factor = 8, kRawFactor = 1.0 / 256;

enum class BoxKernel {
  kIntersection,
  kL2Linear,   ///< of h / sqrt(sum_d h_d^2)
  kL1Linear,   ///< of 2^3 h / sum_d h_d
  kRawLinear,  ///< of 2^-8 h
};

/// Sparse histogram: the nonzero counts, by increasing place d = cell * words + word.
struct BoxHistogram {
  struct Entry {
    std::uint32_t place = 0, count = 0;
  };
  std::vector<Entry> entries;
  std::uint64_t square = 0;  ///< sum of the squared counts
  std::uint64_t total = 0;   ///< sum of the counts
};

/// Returns psi(x, y). `lines` belongs to `image`.
BoxHistogram HistogramOf(const WordImage& image, const PointLines& lines, std::size_t words, int levels,
                         const Box& box);

/// Returns k(a, b).
double KernelOf(BoxKernel kernel, const BoxHistogram& a, const BoxHistogram& b);

class BoxTape;

/// An image prepared for scoring its boxes. REQUIRES: image and list outlive it.
class BoxImage {
 public:
  BoxImage(const WordImage& image, const BoxList& list);
  const WordImage& image() const { return *image_; }
  const BoxList& list() const { return *list_; }
  const PointLines& lines() const { return lines_; }
  /// Words of one column of points, from top to bottom.
  const std::uint16_t* column(int c, int plane) const {
    return by_column_.data() + static_cast<std::ptrdiff_t>(c * image_->planes + plane) * image_->rows;
  }
  /// LinearFactor() of every box of the list. The first call computes it and caches it in the image, for all
  /// learners. Tape() does the same. Thread-safe.
  std::shared_ptr<const std::vector<double>> LinearFactors(BoxKernel kernel, std::size_t words,
                                                           int levels) const;
  std::shared_ptr<const BoxTape> Tape(std::size_t words, int levels) const;

 private:
  const WordImage* image_;
  const BoxList* list_;
  PointLines lines_;
  std::vector<std::uint16_t> by_column_;  // [column][plane][row]
};

/// ||h||^2 of every box of the image's list. SlideSquares uses sliding windows. TableSquares uses tables of
/// rectangles, which is much faster if cells begin and end at few distinct lines, as in a grid; otherwise it
/// returns an empty list.
std::vector<std::uint64_t> SlideSquares(const BoxImage& image, std::size_t words, int levels);
std::vector<std::uint64_t> TableSquares(const BoxImage& image, std::size_t words, int levels);

/// Table of sum_w (count of w)^2 for rectangles whose sides are cell boundaries of the list's boxes.
class RectangleSquares {
 public:
  RectangleSquares(const BoxImage& image, std::size_t words, int levels);
  /// Whether there are too many cell boundaries for a table.
  bool empty() const { return sums_.empty(); }
  /// REQUIRES: the table is not empty and `range` is between cell boundaries.
  std::uint64_t Of(const PointRange& range) const;

 private:
  std::size_t width_ = 0;
  std::vector<std::size_t> column_, row_;  // [line]: index in the table
  std::vector<std::uint32_t> sums_;
};

/// What the factor of a linear kernel depends on: kL2Linear the sum of squared counts, kL1Linear the sum of
/// counts, kRawLinear nothing (0).
std::uint64_t Magnitude(BoxKernel kernel, const BoxHistogram& histogram);
/// Factor of a histogram in a linear kernel: kL2Linear 1 / norm, kL1Linear kL1Factor / norm (both 0 for an
/// empty histogram), kRawLinear kRawFactor.
double LinearFactor(BoxKernel kernel, std::uint64_t magnitude);

/// An image and the output list for the scores of its boxes.
struct ScoredImage {
  const BoxImage* image = nullptr;
  std::span<double> scores;
};

/// A function f of boxes. Not thread-safe.
class BoxFunction {
 public:
  BoxFunction(BoxKernel kernel, std::size_t words, int levels);

  /// Changes the coefficient of a support box from `from` to `to`. Exact: a change back to 0 restores f.
  void Move(const BoxHistogram& support, double from, double to);
  /// Sets f to 0.
  void Clear();

  /// Returns f of one box, with the same bits as ScoreAll().
  double Score(const BoxHistogram& box) const;
  /// Whether scores of boxes with at most `points` points are exact. Otherwise scores are NaN, as for a
  /// method that diverged.
  bool Fits(std::size_t points) const;
  /// Writes scores[y] = f of box y of the image's list. Passing several images at once is faster than single
  /// calls.
  void ScoreAll(std::span<const ScoredImage> images);

  BoxKernel kernel() const { return kernel_; }
  std::size_t words() const { return words_; }
  int levels() const { return levels_; }
  /// Linear kernels: weights by place, in units.
  std::span<const std::int64_t> weights() const { return weights_; }
  /// kIntersection: contribution of the (c + 1)-th point of a place, in units, for c < steps(place).size().
  std::span<const std::int64_t> steps(std::size_t place) const {
    return {pool_.data() + places_[place].first, places_[place].length};
  }
  /// Converts sums of units to scores.
  static double IntersectionScore(std::int64_t units) {
    return static_cast<double>(units) * (kIntersectionFactor / kFixedPointOne);
  }
  static double LinearScore(std::int64_t units, double factor) {
    return static_cast<double>(units) * (1 / kFixedPointOne) * factor;
  }

 private:
  // Steps first .. first + length - 1 of the pool, then a 0, then spare capacity. An empty place uses the
  // pool's first 0.
  struct Place {
    std::uint32_t first = 0, length = 0, capacity = 0;
  };
  void ScoreLinear(const BoxImage& image, std::span<double> out);
  template <std::size_t kBoundaries>
  void ScoreByStrips(const BoxImage& image, std::span<double> out) const;
  void ScoreIntersection(std::span<const ScoredImage> images);
  void Slide(std::size_t cell, int level, int i, int j, const BoxImage& image,
             std::span<std::int64_t> sums) const;
  std::int64_t Units(double value);
  void Reserve(Place& place, std::uint32_t length);

  BoxKernel kernel_;
  std::size_t words_;
  int levels_;
  std::vector<std::int64_t> weights_;
  std::vector<Place> places_;
  double mass_ = 0;      // sum of |tau| * number of points
  bool broken_ = false;  // a coefficient was NaN or too large
  std::vector<std::int64_t> pool_ = {0};
  std::vector<std::int64_t> integral_;  // scratch
};

}  // namespace okbench
