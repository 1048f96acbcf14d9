#include "harness/spec/measures_table.h"

#include <algorithm>

#include "base/error.h"

namespace okbench {

void ReadMeasures(TomlReader reader, Spec& spec) {
  std::vector<MeasureRequest>& requests = spec.measures;
  spec.reaction = static_cast<std::uint64_t>(reader.Integer("reaction"));
  std::vector<std::int64_t> windows = reader.Integers("window");
  for (const std::int64_t window : windows)
    if (window < 1) reader.FailRule("window");
  windows.insert(windows.begin(), 0);
  for (const std::string& name : reader.Has("names") ? reader.Texts("names") : std::vector<std::string>()) {
    try {
      const MeasureRequest named = ParseMeasureRequest(name);
      for (const std::int64_t window : windows) {
        MeasureRequest request = named;
        if (named.window == 0) request.window = static_cast<std::size_t>(window);
        if (std::find(requests.begin(), requests.end(), request) == requests.end())
          requests.push_back(request);
      }
    } catch (const InvalidArgument& error) {
      reader.Fail("names", error.what());
    }
  }
  reader.Finish();
}

}  // namespace okbench
