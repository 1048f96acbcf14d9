#include "harness/system/json_file.h"

#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/whole_file.h"

namespace okbench {

using nlohmann::json;

namespace {

constexpr std::size_t kMaxDepth = 64;                       // largest nesting depth accepted
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

void Assign(json& into, const simdjson::dom::element& from);

bool HasKeys(const json::object_t& object, const simdjson::dom::object& from) {
  auto member = object.begin();
  for (const auto& [key, value] : from)
    if (member == object.end() || (member++)->first != key) return false;
  return member == object.end();
}

void AssignObject(json& into, const simdjson::dom::object& from) {
  if (!into.is_object()) into = json::object();
  auto& object = into.get_ref<json::object_t&>();
  if (HasKeys(object, from)) {
    auto member = object.begin();
    for (const auto& [key, value] : from) Assign((member++)->second, value);
    return;
  }
  object.clear();
  for (const auto& [key, value] : from)  // the last value of a repeated key counts
    Assign(object.try_emplace(object.end(), std::string(key))->second, value);
}

void AssignArray(json& into, const simdjson::dom::array& from) {
  if (!into.is_array()) into = json::array();
  auto& array = into.get_ref<json::array_t&>();
  array.resize(from.size());  // the size saturates at 2^24 - 1
  std::size_t i = 0;
  for (const auto& value : from) {
    if (i == array.size()) array.emplace_back();
    Assign(array[i++], value);
  }
}

void Assign(json& into, const simdjson::dom::element& from) {
  using simdjson::dom::element_type;
  switch (from.type()) {
    case element_type::OBJECT:
      return AssignObject(into, from);
    case element_type::ARRAY:
      return AssignArray(into, from);
    case element_type::STRING: {
      const std::string_view text(from);
      if (!into.is_string()) into = std::string();
      into.get_ref<std::string&>().assign(text);
      return;
    }
    case element_type::INT64: {
      const auto number = std::int64_t(from);
      into = number < 0 ? json(number) : json(static_cast<std::uint64_t>(number));
      return;
    }
    case element_type::UINT64:
      into = std::uint64_t(from);
      return;
    case element_type::DOUBLE:
      into = double(from);
      return;
    case element_type::BOOL:
      into = bool(from);
      return;
    case element_type::NULL_VALUE:
      into = nullptr;
      return;
    default:  // later versions of simdjson have a type of large integers, on request
      throw Error("JSON: unknown type of value");
  }
}

// Parses one line of a large file: a third of the time of json::parse. False if simdjson rejects the text.
bool ParseLine(std::string_view text, json& into) {
  thread_local simdjson::dom::parser parser;
  const auto parsed = parser.parse(text.data(), text.size());
  if (parsed.error() != simdjson::SUCCESS) return false;
  Assign(into, parsed.value_unsafe());
  return true;
}

// SAX parser that builds a value and stops beyond kMaxDepth levels. Limits the recursion of the CBOR reader.
class ShallowValue : public nlohmann::detail::json_sax_dom_parser<json> {
  using Base = nlohmann::detail::json_sax_dom_parser<json>;

 public:
  explicit ShallowValue(json& into) : Base(into, false) {}
  bool start_object(std::size_t size) { return ++depth_ <= kMaxDepth && Base::start_object(size); }
  bool end_object() { return --depth_, Base::end_object(); }
  bool start_array(std::size_t size) { return ++depth_ <= kMaxDepth && Base::start_array(size); }
  bool end_array() { return --depth_, Base::end_array(); }

 private:
  std::size_t depth_ = 0;
};

}  // namespace

json ParseJson(std::string_view text, const json::parser_callback_t& filter) {
  if (DepthOf(text) > kMaxDepth) return json(json::value_t::discarded);
  json value;
  if (!filter && text.size() <= kLongestLine && ParseLine(text, value)) return value;
  // Rejects invalid JSON, and accepts integers of more than 64 bits.
  return json::parse(text, filter, false);
}

void ParseJsonInto(std::string_view text, json& value) {
  if (DepthOf(text) > kMaxDepth || text.size() > kLongestLine || !ParseLine(text, value))
    value = ParseJson(text);
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

bool IsUtf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

}  // namespace okbench
