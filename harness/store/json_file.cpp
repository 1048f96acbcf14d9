#include "harness/store/json_file.h"

#include "datasets/whole_file.h"
#include "harness/store/atomic_file.h"
#include "harness/system/error.h"

namespace okbench {

using nlohmann::json;

json ReadJson(const std::filesystem::path& path) {
  json content = json::parse(WholeFile<TraceError>(path.string()), nullptr, false);
  if (content.is_discarded()) throw TraceError(path.string() + ": is not JSON");
  return content;
}

void WriteJson(const std::filesystem::path& path, const json& content) {
  const std::string text = content.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
  WriteFileAtomically(path.string(), text.data(), text.size());
}

}  // namespace okbench
