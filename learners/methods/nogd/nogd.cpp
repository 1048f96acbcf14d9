#include "learners/methods/nogd/nogd.h"

#include <algorithm>
#include <cmath>

#include "learners/core/math.h"
#include "learners/methods/nogd/symmetric_eigen.h"

namespace okbench::nogd {

std::size_t RankOf(const Options& options) {
  const auto share =
      static_cast<std::size_t>(std::llround(options.rank * static_cast<double>(options.budget)));
  return std::clamp<std::size_t>(share, 1, options.budget);
}

KernelMap NystroemMap(std::span<const double> matrix, std::size_t members, std::size_t rank) {
  constexpr double kMinShare = 1e-7;
  constexpr std::size_t kBlock = SupportBlocks<double>::kBlock;
  KernelMap map{.coordinates = 0, .stride = (members + kBlock - 1) / kBlock * kBlock, .columns = {}};
  if (!AllFinite(matrix)) {  // a NaN map makes all later scores NaN, which reports the failure
    map.coordinates = 1;
    map.columns.assign(map.stride, std::numeric_limits<double>::quiet_NaN());
    return map;
  }
  const EigenSystem system = SymmetricEigen(matrix, members, rank);
  while (map.coordinates < rank && system.values[map.coordinates] > kMinShare * system.values[0])
    ++map.coordinates;
  map.columns.assign(map.coordinates * map.stride, 0.0);
  for (std::size_t c = 0; c < map.coordinates; ++c) {
    const double root = std::sqrt(system.values[c]);
    for (std::size_t j = 0; j < members; ++j)
      map.columns[c * map.stride + j] = system.vectors[c * members + j] / root;
  }
  return map;
}

void Features::Make(std::size_t members) {
  matrix_.resize(members * members);
  for (std::size_t i = 0, entry = 0; i < members; ++i)
    for (std::size_t j = 0; j <= i; ++j, ++entry)
      matrix_[i * members + j] = matrix_[j * members + i] = gram_[entry];
  gram_ = {};
  map_ = NystroemMap(matrix_, members, rank_);
}

// V V'alpha = V D^-1/2 w, and w = D^1/2 V'alpha = D^-1/2 V'(K alpha).
void Features::Carry(std::span<const double> alpha, double* out) {
  const std::size_t members = alpha.size();
  row_.assign(map_.stride, 0.0);
  for (std::size_t j = 0; j < members; ++j)
    for (std::size_t i = 0; i < members; ++i) row_[i] += alpha[j] * matrix_[j * members + i];
  z_.assign(map_.coordinates, 0.0);
  for (std::size_t c = 0; c < map_.coordinates; ++c)
    for (std::size_t j = 0; j < map_.stride; ++j) z_[c] += map_.columns[c * map_.stride + j] * row_[j];
  AddTo(out, 1);
}

void Features::Serialize(Archive& archive) {
  archive.Field("updates", updates_);
  archive.Field("features", evaluations_);
  archive.Field("gram", gram_);
  archive.Field("coordinates", map_.coordinates);
  archive.Field("stride", map_.stride);
  archive.Field("map", map_.columns);
  if (map_.columns.size() != map_.coordinates * map_.stride) Archive::Fail("map", "does not fit the members");
}

}  // namespace okbench::nogd
