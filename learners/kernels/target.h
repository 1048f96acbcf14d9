#pragma once
// Selection of the instruction set that the kernel engine uses. Every target gives the same bits; they differ
// in speed.

#include <string>
#include <string_view>
#include <vector>

namespace okbench {

/// Names of the targets that this program contains and this processor supports, fastest first, e.g.
/// {"avx512-dl", "avx512", "avx2"}.
std::vector<std::string> AvailableTargets();

/// The target in use: the fastest one, unless SelectTarget chose another. Throws UnsupportedMachine if the
/// processor lacks fused multiply-add.
std::string ActiveTarget();

/// Selects the target of engines created from here on; "best" selects the fastest one. Throws InvalidArgument
/// for a name that is not available. Call it before trials start.
void SelectTarget(std::string_view name);

}  // namespace okbench
