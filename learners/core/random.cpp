#include "learners/core/random.h"

#include <bit>
#include <cmath>

#include "learners/core/math.h"

namespace okbench {
namespace {

std::uint64_t SplitMix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

__extension__ using Wide = unsigned __int128;

}  // namespace

Random::Random(std::uint64_t seed) : state_{} {
  for (auto& word : state_) word = SplitMix(seed);
}

std::uint64_t Random::Next() {
  auto& s = state_;
  const std::uint64_t result = std::rotl(s[0] + s[3], 23) + s[0];
  const std::uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = std::rotl(s[3], 45);
  return result;
}

std::uint64_t Random::Below(std::uint64_t bound) {
  Wide product = static_cast<Wide>(Next()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t threshold = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < threshold) product = static_cast<Wide>(Next()) * bound;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

double Random::Uniform() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

void Random::Serialize(Archive& archive) {
  archive.Field("random", state_);
  archive.Field("spare", spare_);
  archive.Field("has_spare", has_spare_);
}

double Random::Normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  for (;;) {
    const double u = 2 * Uniform() - 1;
    const double v = 2 * Uniform() - 1;
    const double s = std::fma(u, u, v * v);
    if (s >= 1 || s == 0) continue;
    const double factor = std::sqrt(-2 * Log(s) / s);
    spare_ = v * factor;
    has_spare_ = true;
    return u * factor;
  }
}

std::uint64_t DeriveSeed(std::initializer_list<std::pair<std::string_view, std::string_view>> axes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a, then mixed
  const auto feed = [&hash](std::string_view text, unsigned char end) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    hash = (hash ^ end) * 0x100000001b3ULL;
  };
  for (const auto& [name, value] : axes) {
    feed(name, 1);
    feed(value, 2);
  }
  return SplitMix(hash);
}

}  // namespace okbench
