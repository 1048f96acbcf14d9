#pragma once
// Provenance: the program, compiler, machine and libraries that produced a trace.

#include <nlohmann/json.hpp>
#include <string>

namespace okbench {

/// Program version, Git commit and dirty flag at build time, compiler and flags, CPU, SIMD target, and
/// library versions. Thread-safe.
nlohmann::json BuildProvenance();

/// One line such as "okbench 0.1.0, commit 0123456789 (modified), GNU 12.2.0".
std::string ProgramVersion();

/// The current time in UTC as 2026-01-31T12:34:56Z.
std::string UtcNow();

}  // namespace okbench
