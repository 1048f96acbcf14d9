#include "harness/spec/toml_reader.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <stdexcept>

#include "base/error.h"
#include "base/nearest.h"
#include "base/whole_file.h"
#include "harness/spec/nearest_spec.h"
#include "harness/spec/spec_keys.h"
#include "learners/core/examples.h"
#include "learners/core/math.h"

namespace okbench {
namespace {

constexpr double kMaxPower = 1000;

// 2^x with the same bits on every machine. Exact for integer x.
double TwoTo(double x) {
  const double whole = std::floor(x);
  return std::ldexp(x == whole ? 1.0 : Exp((x - whole) * Log(2.0)), static_cast<int>(whole));
}

// Keys of format 1 and their names in format 2.
const std::map<std::string, std::string>& RenamedKeys() {
  static const std::map<std::string, std::string> names = {
      {"data.limit", "max_examples"}, {"data.rows", "synthetic_rows"}, {"trace.dense", "record_all_until"},
      {"stand_in", "synthetic"},      {"listed", "outliers"},          {"until", "tolerance"},
      {"over_n", "divide_by_n"},      {"two_to", "powers_of_two"}};
  return names;
}

// "a number", "text", ...: what a value is, for messages.
std::string TypeOf(const toml::node& node) {
  if (node.is_string()) return "text";
  if (node.is_boolean()) return "true or false";
  if (node.is_integer()) return "an integer";
  if (node.is_floating_point()) return "a number";
  return node.is_array() ? "a list" : node.is_table() ? "a table" : "a date or time";
}

// "; write 8" when the value is text in quotes that would be a value without them, else "".
std::string Unquoted(const toml::node& node) {
  const auto* text = node.as_string();
  if (text == nullptr) return "";
  try {
    const toml::table parsed = toml::parse("value = " + text->get());
    const bool scalar = parsed["value"].is_number() || parsed["value"].is_boolean();
    return parsed.size() == 1 && scalar ? "; write " + text->get() : "";
  } catch (const toml::parse_error&) {
    return "";
  }
}

// Converts a scalar to a parameter value; nullopt for tables, lists and dates.
std::optional<ParameterValue> Scalar(const toml::node& node) {
  if (const auto* integer = node.as_integer()) return ParameterValue(integer->get());
  if (const auto* real = node.as_floating_point()) return ParameterValue(real->get());
  if (const auto* flag = node.as_boolean()) return ParameterValue(flag->get());
  if (const auto* text = node.as_string()) return ParameterValue(text->get());
  return std::nullopt;
}

// A hint for a file whose name is not that of a spec.
std::string IfNoSpec(const std::string& path) {
  if (std::filesystem::path(path).extension() == ".toml") return "";
  return "; a spec is a TOML file; okbench league " + path + " compares learners on a data file";
}

}  // namespace

TomlSource::TomlSource(const std::string& path) : path_(path) {
  if (!std::filesystem::is_regular_file(path)) {
    if (std::filesystem::is_directory(path))
      throw SpecError(path + ": is a folder; name its specs: " +
                      (std::filesystem::path(path) / "*.toml").lexically_normal().string());
    if (std::filesystem::exists(path)) throw SpecError(path + ": is not a regular file");
    const std::string meant = NearestSpec(path);
    throw SpecError(path + ": no such file" + (meant.empty() ? "" : "; did you mean " + meant + "?"));
  }
  try {
    root_ = toml::parse(WholeFile<SpecError>(path), path);
  } catch (const toml::parse_error& error) {
    const auto at = error.source().begin;
    throw SpecError(path + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " +
                    std::string(error.description()) + IfNoSpec(path));
  }
  NoteLines(root_, "");
}

void TomlSource::NoteLines(const toml::table& table, const std::string& prefix) {
  for (const auto& [key, node] : table) {
    const std::string path = prefix + std::string(key.str());
    lines_[path] = node.source().begin.line;
    if (const toml::table* inner = node.as_table()) NoteLines(*inner, path + ".");
  }
}

std::size_t TomlSource::LineOf(const std::string& path) const {
  const auto entry = lines_.find(path);
  return entry == lines_.end() ? std::numeric_limits<std::size_t>::max() : entry->second;
}

void TomlSource::Override(const std::string& path, const toml::node& value, const std::string& origin) {
  toml::table* table = &root_;
  std::size_t start = 0;
  for (;;) {
    const std::size_t dot = path.find('.', start);
    const std::string key = path.substr(start, dot == std::string::npos ? dot : dot - start);
    if (key.empty()) throw SpecError(origin + ": '" + path + "' is not a path of keys");
    if (dot == std::string::npos) {
      table->insert_or_assign(key, value);
      origins_[path] = origin;
      return;
    }
    if (!table->contains(key)) table->insert(key, toml::table{});
    table = (*table)[key].as_table();
    if (table == nullptr) throw SpecError(origin + ": '" + path + "': '" + key + "' is not a table");
    start = dot + 1;
  }
}

void TomlSource::Remove(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  const auto table =
      dot == std::string::npos ? toml::node_view<toml::node>(root_) : root_.at_path(path.substr(0, dot));
  if (table.is_table()) table.as_table()->erase(path.substr(dot == std::string::npos ? 0 : dot + 1));
}

void TomlSource::OverrideText(const std::string& path, const std::string& text) {
  toml::table parsed;
  try {
    parsed = toml::parse("value = " + text);
  } catch (const toml::parse_error&) {
    parsed = toml::table{{"value", text}};
  }
  Override(path, *parsed.get("value"), "--set");
}

std::string TomlSource::Where(const std::string& path, const toml::node* node) const {
  for (std::string at = path; !at.empty();) {
    const auto entry = origins_.find(at);
    if (entry != origins_.end()) return path_ + " (" + entry->second + ")";
    const std::size_t dot = at.rfind('.');
    at = dot == std::string::npos ? "" : at.substr(0, dot);
  }
  std::size_t line = node ? node->source().begin.line : 0;
  if (line == 0 && lines_.contains(path)) line = lines_.at(path);  // copied nodes have no position
  return path_ + (line ? ":" + std::to_string(line) : "");
}

void TomlSource::Fail(const std::string& path, const toml::node* node, const std::string& cause) const {
  throw SpecError(Where(path, node) + ": " + path + ": " + cause);
}

TomlReader::TomlReader(const TomlSource& source, const toml::table& table, std::string prefix,
                       const KeyTable& keys)
    : source_(source), table_(table), prefix_(std::move(prefix)) {
  Add(keys);
}

void TomlReader::Add(const KeyTable& keys) {
  for (const SpecKey& key : keys.keys) {
    keys_.push_back(&key);
    if (!key.IsPlaceholder()) Allow({key.name});
  }
}

TomlReader::Entry TomlReader::Find(const std::string& key, std::initializer_list<KeyKind> kinds) {
  auto position = std::ranges::find(keys_, key, &SpecKey::name);
  if (position == keys_.end()) position = std::ranges::find_if(keys_, &SpecKey::IsPlaceholder);
  if (position == keys_.end()) throw std::logic_error("no key '" + PathOf(key) + "' is listed");
  const KeyKind kind = (*position)->kind;
  if (kinds.size() > 0 && std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
    throw std::logic_error("key '" + PathOf(key) + "' is listed as a " + KindName(kind));
  Allow({key});
  seen_.insert(key);
  return {.key = **position, .node = table_.get(key)};
}

void TomlReader::Fail(const std::string& key, const std::string& cause) const {
  const toml::node* node = table_.get(key);
  source_.Fail(PathOf(key), node ? node : &table_, cause);
}

void TomlReader::FailMissing(const std::string& key, const std::string& cause) const {
  RequireKnownKeys("unknown key");  // a misspelt key is the likely cause
  Fail(key, "missing; " + cause);
}

void TomlReader::FailType(const std::string& key, const toml::node& node, const SpecKey& row) const {
  const std::string must = row.MustBe();
  Fail(key, "expected " + (must.starts_with("be ") ? must.substr(3) : must) + ", got " + TypeOf(node) +
                Unquoted(node));
}

void TomlReader::FailRule(const std::string& key) { Fail(key, "must " + Find(key).key.rule); }

std::string TomlReader::Text(const std::string& key) {
  const auto [row, node] = Find(key, {KeyKind::kText, KeyKind::kTexts, KeyKind::kChoice});
  if (node == nullptr && row.default_value) return std::get<std::string>(*row.default_value);
  if (node == nullptr) FailMissing(key, "expected a text in quotes");
  if (!node->is_string()) FailType(key, *node, row);
  return node->as_string()->get();
}

std::vector<std::string> TomlReader::Texts(const std::string& key) {
  const auto [row, node] = Find(key, {KeyKind::kTexts});
  if (node == nullptr || !node->is_array()) return {Text(key)};
  std::vector<std::string> list;
  for (const auto& item : *node->as_array()) {
    if (!item.is_string()) FailType(key, item, row);
    list.push_back(item.as_string()->get());
  }
  if (list.empty()) Fail(key, "must name at least one");
  return list;
}

std::string TomlReader::Choice(const std::string& key) {
  const SpecKey& row = Find(key, {KeyKind::kChoice}).key;
  std::string value = Text(key);
  if (std::find(row.choices.begin(), row.choices.end(), value) != row.choices.end()) return value;
  Fail(key, "is '" + value + "', but must " + row.MustBe());
}

std::int64_t TomlReader::Integer(const std::string& key) {
  const auto [row, node] = Find(key, {KeyKind::kInteger});
  if (node == nullptr && row.default_value) return std::get<std::int64_t>(*row.default_value);
  const std::string must = "must " + row.MustBe();
  if (node == nullptr) FailMissing(key, must);
  if (!node->is_integer()) FailType(key, *node, row);
  const std::int64_t value = node->as_integer()->get();
  const auto real = static_cast<double>(value);
  if (real < row.minimum || real > row.maximum)
    Fail(key, std::to_string(value) + " is out of range; it " + must);
  return value;
}

double TomlReader::Real(const std::string& key) {
  const auto [row, node] = Find(key, {KeyKind::kReal});
  if (node == nullptr && row.default_value) return std::get<double>(*row.default_value);
  const std::string must = "must " + row.MustBe();
  if (node == nullptr) FailMissing(key, must);
  const auto value = node->is_number() ? node->value<double>() : std::nullopt;
  if (!value) FailType(key, *node, row);
  if (!std::isfinite(*value) || *value > row.maximum || *value < row.minimum ||
      (row.open_minimum && *value == row.minimum) || (row.open_maximum && *value == row.maximum))
    Fail(key, NumberText(*value) + " is out of range; it " + must);
  return *value;
}

bool TomlReader::Switch(const std::string& key) {
  const auto [row, node] = Find(key, {KeyKind::kSwitch});
  if (node == nullptr) return std::get<bool>(row.default_value.value());
  if (!node->is_boolean()) FailType(key, *node, row);
  return node->as_boolean()->get();
}

std::vector<double> TomlReader::Reals(const std::string& key) {
  std::vector<double> list;
  const auto [row, node] = Find(key, {KeyKind::kReals});
  if (node == nullptr) return list;
  if (!node->is_array()) FailType(key, *node, row);
  for (const auto& item : *node->as_array()) {
    const auto value = item.is_number() ? item.value<double>() : std::nullopt;
    if (!value || !std::isfinite(*value)) FailType(key, item, row);
    list.push_back(*value);
  }
  return list;
}

std::vector<std::int64_t> TomlReader::Integers(const std::string& key) {
  std::vector<std::int64_t> list;
  const auto [row, node] = Find(key, {KeyKind::kIntegers});
  if (node == nullptr) return list;
  if (node->is_integer()) return {node->as_integer()->get()};
  if (!node->is_array()) FailType(key, *node, row);
  for (const auto& item : *node->as_array()) {
    if (!item.is_integer()) FailType(key, item, row);
    list.push_back(item.as_integer()->get());
  }
  return list;
}

const toml::table* TomlReader::Table(const std::string& key) {
  const auto [row, node] = Find(key, {KeyKind::kTable});
  if (node == nullptr && !row.required) return nullptr;
  if (node == nullptr) FailMissing(key, "add a table [" + PathOf(key) + "]");
  if (!node->is_table()) FailType(key, *node, row);
  return node->as_table();
}

std::vector<TomlReader> TomlReader::Tables(const std::string& key, const KeyTable& keys) {
  const auto [row, node] = Find(key, {KeyKind::kTables});
  if (node == nullptr || !node->is_array() || node->as_array()->empty()) Fail(key, "must " + row.MustBe());
  std::vector<TomlReader> tables;
  for (const auto& item : *node->as_array()) {
    if (!item.is_table()) Fail(key, "must be a list of tables");
    tables.emplace_back(source_, *item.as_table(), PathOf(key) + "[" + std::to_string(tables.size()) + "]",
                        keys);
  }
  return tables;
}

ParameterValue TomlReader::Value(const std::string& key, bool* divide_by_n) {
  const auto [row, node] = Find(key, {KeyKind::kValue});
  if (node == nullptr) FailMissing(key, "must " + row.MustBe());
  if (divide_by_n != nullptr && node->is_table()) {
    TomlReader inner(source_, *node->as_table(), PathOf(key), KeysOf("learners.KEY.PARAMETER"));
    for (const LabelKind kind : {LabelKind::kBinary, LabelKind::kMulticlass, LabelKind::kReal})
      if (inner.Has(LabelKindName(kind)))
        inner.Fail(LabelKindName(kind), "cannot be combined with other keys");
    const double value = inner.Real("divide_by_n");
    inner.Finish();
    *divide_by_n = true;
    return value;
  }
  const auto value = Scalar(*node);
  if (!value) FailType(key, *node, row);
  return *value;
}

std::vector<ParameterValue> TomlReader::Axis(const std::string& key, bool* divide_by_n) {
  std::vector<ParameterValue> list;
  const toml::node* node = Find(key, {KeyKind::kAxis, KeyKind::kValue}).node;
  if (node != nullptr && node->is_table()) {
    TomlReader inner(source_, *node->as_table(), PathOf(key), KeysOf("learners.KEY.grid.PARAMETER"));
    *divide_by_n = inner.Switch("divide_by_n");
    const bool powers = inner.Has("powers_of_two");
    if (powers == inner.Has("values")) Fail(key, "must have one of powers_of_two = [...] and values = [...]");
    for (const double x : inner.Reals(powers ? "powers_of_two" : "values")) {
      if (powers && std::abs(x) > kMaxPower)
        inner.Fail("powers_of_two", "must list powers from -1000 to 1000");
      list.emplace_back(powers ? TwoTo(x) : x);
    }
    inner.Finish();
    if (list.empty()) Fail(key, "must list at least one value");
    for (std::size_t i = 0; i < list.size(); ++i)
      if (std::find(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(i), list[i]) !=
          list.begin() + static_cast<std::ptrdiff_t>(i))
        Fail(key, "lists a value twice");
    return list;
  }
  if (node == nullptr || !node->is_array() || node->as_array()->empty())
    Fail(key, "must be a non-empty list of values");
  for (const auto& item : *node->as_array()) {
    const auto value = Scalar(item);
    if (!value) Fail(key, "must be a list of numbers, texts, or true and false");
    if (std::find(list.begin(), list.end(), *value) != list.end()) Fail(key, "lists a value twice");
    list.push_back(*value);
  }
  return list;
}

std::vector<std::string> TomlReader::Keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, node] : table_) keys.emplace_back(key.str());
  // toml++ sorts keys by name. Restore the order of the file.
  std::stable_sort(keys.begin(), keys.end(), [this](const std::string& a, const std::string& b) {
    return source_.LineOf(PathOf(a)) < source_.LineOf(PathOf(b));
  });
  return keys;
}

void TomlReader::Allow(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (std::find(known_.begin(), known_.end(), name) == known_.end()) known_.push_back(name);
}

void TomlReader::RequireKnownKeys(const std::string& unknown) const {
  for (const auto& [node_key, node] : table_) {
    const std::string key(node_key.str());
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    for (const std::string& name : {PathOf(key), key})
      if (const auto renamed = RenamedKeys().find(name); renamed != RenamedKeys().end())
        source_.Fail(PathOf(key), &node, "renamed to " + renamed->second);
    std::string allowed;
    for (const auto& known : known_) allowed += (allowed.empty() ? "" : ", ") + known;
    const std::string hint =
        DidYouMean(key, known_, allowed.empty() ? "no key is allowed here" : "allowed are " + allowed);
    if (node.is_table() && prefix_.empty())
      throw SpecError(source_.Where(key, &node) + ": unknown table " + key + hint);
    source_.Fail(PathOf(key), &node, unknown + hint);
  }
}

void TomlReader::Finish(const std::string& unknown) const {
  for (const SpecKey* key : keys_)
    if (!key->IsPlaceholder() && !seen_.contains(key->name))
      throw std::logic_error("key '" + PathOf(key->name) + "' is listed, but not read");
  RequireKnownKeys(unknown);
}

}  // namespace okbench
