#pragma once
// JSON on disk.

#include <filesystem>
#include <nlohmann/json.hpp>

namespace okbench {

/// Throws TraceError when the file is not JSON.
nlohmann::json ReadJson(const std::filesystem::path& path);

/// Writes JSON for reading, by rename; bytes that are no UTF-8 (quoted from bad files) are replaced. Throws
/// TraceError.
void WriteJson(const std::filesystem::path& path, const nlohmann::json& content);

}  // namespace okbench
