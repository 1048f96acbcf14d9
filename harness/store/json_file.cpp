#include "harness/store/json_file.h"

#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "datasets/whole_file.h"
#include "harness/store/atomic_file.h"
#include "learners/core/error.h"

namespace okbench {

using nlohmann::json;

namespace {

constexpr std::size_t kDeepest = 64;                        // largest nesting depth accepted
constexpr std::size_t kLongestLine = std::size_t{1} << 20;  // bytes; each thread keeps a buffer of this size

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

json ValueOf(const simdjson::dom::element& element) {
  using simdjson::dom::element_type;
  switch (element.type()) {
    case element_type::OBJECT: {
      json::object_t object;
      for (const auto& [key, value] : simdjson::dom::object(element))
        object.insert_or_assign(object.end(), std::string(key), ValueOf(value));  // fast for sorted keys
      return object;
    }
    case element_type::ARRAY: {
      json::array_t array;
      for (const auto& value : simdjson::dom::array(element)) array.push_back(ValueOf(value));
      return array;
    }
    case element_type::STRING:
      return std::string(std::string_view(element));
    case element_type::INT64: {
      const auto number = std::int64_t(element);
      return number < 0 ? json(number) : json(static_cast<std::uint64_t>(number));
    }
    case element_type::UINT64:
      return std::uint64_t(element);
    case element_type::DOUBLE:
      return double(element);
    case element_type::BOOL:
      return bool(element);
    case element_type::NULL_VALUE:
      break;
  }
  return nullptr;
}

// Parses one line of a large file: a third of the time of json::parse. Nothing if simdjson rejects the text.
std::optional<json> ParseLine(std::string_view text) {
  thread_local simdjson::dom::parser parser;
  const auto parsed = parser.parse(text.data(), text.size());
  if (parsed.error() != simdjson::SUCCESS) return std::nullopt;
  return ValueOf(parsed.value_unsafe());
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
  if (!filter && text.size() <= kLongestLine)
    if (std::optional<json> value = ParseLine(text)) return std::move(*value);
  // Rejects invalid JSON, and accepts integers of more than 64 bits.
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
