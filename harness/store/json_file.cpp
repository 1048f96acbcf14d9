#include "harness/store/json_file.h"

#include <algorithm>

#include "datasets/whole_file.h"
#include "harness/store/atomic_file.h"
#include "learners/core/error.h"

namespace okbench {

using nlohmann::json;

namespace {

constexpr std::size_t kDeepest = 64;  // largest nesting depth accepted

// Nesting depth of arrays and objects in a text that may be JSON.
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

// SAX parser that builds a value and stops beyond kDeepest levels. Limits the recursion of the CBOR reader.
class ShallowValue : public nlohmann::detail::json_sax_dom_parser<json> {
  using Base = nlohmann::detail::json_sax_dom_parser<json>;

 public:
  explicit ShallowValue(json& into) : Base(into, false) {}
  bool start_object(std::size_t size) { return ++depth_ <= kDeepest && Base::start_object(size); }
  bool end_object() { return --depth_, Base::end_object(); }
  bool start_array(std::size_t size) { return ++depth_ <= kDeepest && Base::start_array(size); }
  bool end_array() { return --depth_, Base::end_array(); }

 private:
  std::size_t depth_ = 0;
};

}  // namespace

json ParseJson(std::string_view text, const json::parser_callback_t& filter) {
  if (DepthOf(text) > kDeepest) return json(json::value_t::discarded);
  return json::parse(text, filter, false);
}

json ParseCbor(std::string_view bytes) try {
  json value;
  ShallowValue reader(value);
  const bool whole = json::sax_parse(bytes.begin(), bytes.end(), &reader, json::input_format_t::cbor);
  return whole ? value : json(json::value_t::discarded);
} catch (const json::exception&) {  // for example an array length larger than memory
  return json(json::value_t::discarded);
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
