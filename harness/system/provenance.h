#pragma once
// Provenance: which program, compiler, machine and libraries made a trace.

#include <nlohmann/json.hpp>
#include <string>

namespace okbench {

/// Git commit and dirty flag at build time, compiler and flags, CPU and kernel target, library versions.
nlohmann::json BuildProvenance();

/// "okbench 0.1.0, commit 0123456789 (modified), GNU 12.2.0".
std::string ProgramVersion();

/// The present time as 2026-01-31T12:34:56Z.
std::string UtcNow();

}  // namespace okbench
