#pragma once
// Suggests a spec for a path that does not exist.

#include <string>

namespace okbench {

/// The known spec whose path is nearest to this one, relative to the current folder; empty if none is near.
std::string NearestSpec(const std::string& path);

}  // namespace okbench
