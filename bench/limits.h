#pragma once
// Limits of the machine, measured with the widest vectors that Highway supports on it.

#include <cstddef>

namespace okbench::bench {

/// Runs one pass of independent float fused multiply-adds. Returns the number of operations (2 per lane).
/// `sink` receives a result, so that the compiler keeps the computation.
std::size_t FmaPass(float* sink);
/// Returns the sum of `count` floats, read in order.
float ReadPass(const float* data, std::size_t count);
/// Replaces `count` floats by their exp (Highway's math library).
void ExpPass(float* data, std::size_t count);

}  // namespace okbench::bench
