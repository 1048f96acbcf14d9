#include "learners/methods/nogd/nogd.h"

#include <algorithm>
#include <cmath>

#include "learners/core/math.h"
#include "learners/solvers/symmetric_eigen.h"

namespace okbench::nogd {

std::size_t RankOf(const Options& options) {
  const auto share =
      static_cast<std::size_t>(std::llround(options.rank * static_cast<double>(options.budget)));
  return std::clamp<std::size_t>(share, 1, options.budget);
}

KernelMap NystroemMap(std::span<const double> matrix, std::size_t members, std::size_t rank) {
  constexpr double kLeastShare = 1e-7;
  constexpr std::size_t kBlock = SupportBlocks<double>::kBlock;
  KernelMap map{.coordinates = 0, .stride = (members + kBlock - 1) / kBlock * kBlock, .columns = {}};
  if (!AllFinite(matrix)) {  // a NaN map makes all later scores NaN, which reports the failure
    map.coordinates = 1;
    map.columns.assign(map.stride, std::numeric_limits<double>::quiet_NaN());
    return map;
  }
  const EigenSystem system = SymmetricEigen(matrix, members, rank);
  while (map.coordinates < rank && system.values[map.coordinates] > kLeastShare * system.values[0])
    ++map.coordinates;
  map.columns.assign(map.coordinates * map.stride, 0.0);
  for (std::size_t c = 0; c < map.coordinates; ++c) {
    const double root = std::sqrt(system.values[c]);
    for (std::size_t j = 0; j < members; ++j)
      map.columns[c * map.stride + j] = system.vectors[c * members + j] / root;
  }
  return map;
}

}  // namespace okbench::nogd
