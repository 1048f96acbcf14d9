#pragma once
// JSON on disk.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

namespace okbench {

/// The value that a text is, or a discarded one where it is none, or is nested deeper than 64 times, which
/// nothing that we write is.
nlohmann::json ParseJson(std::string_view text);

/// The same of CBOR.
nlohmann::json ParseCbor(std::string_view bytes);

/// Throws TraceError when the file is not such JSON.
nlohmann::json ReadJson(const std::filesystem::path& path);

/// Writes JSON for reading, by rename; bytes that are no UTF-8 (quoted from bad files) are replaced. Throws
/// TraceError.
void WriteJson(const std::filesystem::path& path, const nlohmann::json& content);

}  // namespace okbench
