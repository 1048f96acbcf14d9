#pragma once
// The machine's own limits, measured with the widest vectors that Highway finds here.

#include <cstddef>

namespace okbench::bench {

/// One pass of independent float fused multiply-adds; returns how many operations (2 per lane) it did. `sink`
/// keeps the result alive.
std::size_t FmaPass(float* sink);
/// Reads `count` floats in order and adds them up.
float ReadPass(const float* data, std::size_t count);
/// exp of `count` floats in place (Highway's own math library).
void ExpPass(float* data, std::size_t count);

}  // namespace okbench::bench
