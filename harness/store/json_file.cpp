#include "harness/store/json_file.h"

#include <algorithm>

#include "datasets/whole_file.h"
#include "harness/store/atomic_file.h"
#include "harness/system/error.h"

namespace okbench {

using nlohmann::json;

namespace {

constexpr std::size_t kDeepest = 64;

// How deep lists and tables are nested, were it JSON.
std::size_t DepthOf(std::string_view text) {
  std::size_t depth = 0, deepest = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      quoted = !quoted;
    else if (!quoted && (text[i] == '[' || text[i] == '{'))
      deepest = std::max(deepest, ++depth);
    else if (!quoted && (text[i] == ']' || text[i] == '}') && depth > 0)
      --depth;
  }
  return deepest;
}

}  // namespace

json ParseJson(std::string_view text) {
  if (DepthOf(text) > kDeepest) return json(json::value_t::discarded);
  return json::parse(text, nullptr, false);
}

json ReadJson(const std::filesystem::path& path) {
  json content = ParseJson(WholeFile<TraceError>(path.string()));
  if (content.is_discarded()) throw TraceError(path.string() + ": is not JSON");
  return content;
}

void WriteJson(const std::filesystem::path& path, const json& content) {
  const std::string text = content.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
  WriteFileAtomically(path.string(), text.data(), text.size());
}

}  // namespace okbench
