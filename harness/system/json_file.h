#pragma once
// Parses and writes JSON and CBOR.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

namespace okbench {

/// Parses JSON. Returns a discarded value when the text is not valid JSON or is nested deeper than 64 levels,
/// which no file written by okbench is. `filter` may drop values: see nlohmann::json::parse.
nlohmann::json ParseJson(std::string_view text, const nlohmann::json::parser_callback_t& filter = nullptr);

/// Parses JSON into `value`. Reuses its memory, which is faster for many texts with the same keys. Discards
/// the value when ParseJson would.
void ParseJsonInto(std::string_view text, nlohmann::json& value);

/// Parses CBOR under the same rules.
nlohmann::json ParseCbor(std::string_view bytes);

/// Reads a JSON file. Throws TraceError when it cannot be read or ParseJson rejects it.
nlohmann::json ReadJson(const std::filesystem::path& path);

/// Writes indented JSON atomically. Replaces bytes that are not UTF-8. Throws TraceError.
void WriteJson(const std::filesystem::path& path, const nlohmann::json& content);

/// Whether a text is valid UTF-8.
bool IsUtf8(std::string_view text);

}  // namespace okbench
