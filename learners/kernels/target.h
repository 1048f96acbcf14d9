#pragma once
// The instruction set the kernel engine runs on. Every target gives the same bits; they differ in speed.

#include <string>
#include <string_view>
#include <vector>

namespace okbench {

/// Names of the targets this program was built for and this processor has, best first,
/// e.g. {"avx512-dl", "avx512", "avx2"}.
std::vector<std::string> AvailableTargets();

/// The target in use: the best one, unless SelectTarget chose another.
/// Throws UnsupportedMachine when the processor has no fused multiply-add.
std::string ActiveTarget();

/// Chooses the target for engines built from now on; "best" goes back to the best one. Throws
/// InvalidArgument for a name that is not available. Not thread-safe: call it before trials start.
void SelectTarget(std::string_view name);

}  // namespace okbench
