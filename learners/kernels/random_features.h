#pragma once
// RandomFeatures: an explicit map whose inner products approximate the RBF kernel (Rahimi and Recht 2007).
//
//   z(x) = (cos u_1'x, ..., cos u_D'x, sin u_1'x, ..., sin u_D'x) / sqrt(D),  u_d from N(0, 2 gamma I)
//   z(x)'z(x') = 1/D sum_d cos(u_d'(x - x'))  ->  exp(-gamma ||x - x'||^2)
//
// Each of the 2D coordinates of a requested row counts as one feature. No kernel evaluation is counted. A
// KernelEngine with a linear kernel computes the products u_d'x, so they have the same bits on every machine.
// Not thread-safe.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "learners/core/aligned.h"
#include "learners/core/archive.h"
#include "learners/core/evaluation_counter.h"
#include "learners/core/examples.h"
#include "learners/kernels/engine.h"
#include "learners/kernels/stream_rows.h"

namespace okbench {

/// Features of the rows u_d. The entries of the first features are drawn in row order. The entries of each
/// added feature have a separate seed, so that adding a feature does not change the entries before it.
struct ComponentFeatures {
  std::size_t all;        ///< features of the rows
  std::size_t first = 0;  ///< features of the first rows of the stream, <= all; 0: all
};

/// Draws D = `components` rows u_d for an RBF kernel from the seed. Throws InvalidArgument for another
/// kernel.
template <class T>
std::shared_ptr<const Examples<T>> DrawComponents(const Kernel& kernel, std::size_t components,
                                                  ComponentFeatures features, std::uint64_t seed);

template <class T>
class RandomFeatures {
 public:
  /// `components` holds the rows u_d; REQUIRES: at least one. `stream` is the source of rows for Row() and
  /// must outlive this object.
  RandomFeatures(std::shared_ptr<const Examples<T>> components, const RowSource<T>& stream,
                 std::size_t lookahead = 48);
  RandomFeatures(const RandomFeatures&) = delete;
  RandomFeatures& operator=(const RandomFeatures&) = delete;

  /// Number of coordinates, 2D.
  std::size_t size() const { return 2 * components_->size(); }
  /// Entries of a row in memory, twice a multiple of 16: cosines, zeros, sines, zeros.
  std::size_t stride() const { return z_.size(); }
  /// Index of coordinate c in such a row.
  std::size_t place(std::size_t c) const { return c < size() / 2 ? c : stride() / 2 + c - size() / 2; }
  const std::shared_ptr<const Examples<T>>& components() const { return components_; }
  const KernelCounts& counts() const { return counter_.counts(); }

  /// Sets the order of the rows that Row() will request, for look-ahead.
  void Announce(std::span<const std::uint32_t> order) { stream_rows_.Announce(order); }
  /// z of a row of the stream, counted as learning. Valid until the next call.
  const double* Row(std::uint32_t example);
  /// Calls visit(i, z) for the i-th of these rows, counted as evaluation. z is valid during the call.
  template <class Visit>
  void ForEach(const RowSource<T>& rows, std::span<const std::uint32_t> which, const Visit& visit) {
    for (std::size_t first = 0; first < which.size(); first += kTile) {
      const auto part = which.subspan(first, std::min(kTile, which.size() - first));
      Project(rows, part);
      for (std::size_t i = 0; i < part.size(); ++i)
        visit(first + i, Mapped(projections_.data() + i * blocks_.slots(), Purpose::kMeasuring));
    }
  }
  /// Serializes the counts.
  void Serialize(Archive& archive);

 private:
  static constexpr std::size_t kTile = 48;

  void Project(const RowSource<T>& rows, std::span<const std::uint32_t> which);
  const double* Mapped(const T* products, Purpose purpose);

  std::shared_ptr<const Examples<T>> components_;
  EvaluationCounter counter_;
  KernelEngine<T> engine_;  // linear kernel; its counts are ignored
  Inputs<T> stream_;
  SupportBlocks<T> blocks_;
  StreamRows<T> stream_rows_;
  AlignedVector<T> projections_;
  AlignedVector<double> products_, z_;
  double scale_;
};

extern template class RandomFeatures<float>;
extern template class RandomFeatures<double>;

}  // namespace okbench
