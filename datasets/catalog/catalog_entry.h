#pragma once
// CatalogEntry: typed access to a table of the catalog.

#include <toml++/toml.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"

namespace okbench {

/// Every error is a DataError that contains file, line and key.
class CatalogEntry {
 public:
  /// `file` and `table` must outlive this object. `where`: path of the table, for messages.
  CatalogEntry(const std::string& file, const toml::table& table, std::string where)
      : file_(file), table_(table), where_(std::move(where)) {}

  /// The value of a key, or the default value if it is absent.
  template <class T>
  T Get(const char* key) const {
    const auto value = table_[key].value<T>();
    if (!value) Fail(key, table_.contains(key) ? std::string("must be ") + TypeName<T>() : "is missing");
    return *value;
  }
  template <class T>
  T Get(const char* key, T default_value) const {
    return table_.contains(key) ? Get<T>(key) : default_value;
  }
  template <class T>
  std::vector<T> List(const char* key, bool optional = false) const {
    std::vector<T> list;
    if (optional && !table_.contains(key)) return list;
    const toml::array* array = table_[key].as_array();
    if (array == nullptr) Fail(key, "must be a list");
    for (const auto& node : *array) {
      const auto value = node.value<T>();
      if (!value) Fail(key, "has an entry of the wrong type");
      list.push_back(*value);
    }
    return list;
  }
  const toml::table& Table(const char* key) const {
    const toml::table* table = table_[key].as_table();
    if (table == nullptr) Fail(key, "must be a table");
    return *table;
  }
  /// Returns an integer in least .. most.
  template <class T>
  T Within(const char* key, std::uint64_t least, std::uint64_t most) const {
    const auto value = Get<std::int64_t>(key);
    if (value < 0 || static_cast<std::uint64_t>(value) < least || static_cast<std::uint64_t>(value) > most)
      Fail(key, "must be from " + std::to_string(least) + " to " + std::to_string(most));
    return static_cast<T>(value);
  }
  template <class T>
  T Within(const char* key, std::uint64_t least, std::uint64_t most, T default_value) const {
    return table_.contains(key) ? Within<T>(key, least, most) : default_value;
  }
  bool Has(const char* key) const { return table_.contains(key); }
  /// Fails for a key that is not among these.
  void RequireKeys(const std::vector<std::string>& known) const {
    for (const auto& [key, node] : table_) {
      const std::string name(key.str());
      if (std::find(known.begin(), known.end(), name) == known.end())
        Fail(name, "unknown key" + DidYouMean(name, known, "keys are " + Joined(known)));
    }
  }
  [[noreturn]] void Fail(const std::string& key, const std::string& cause) const {
    const toml::node* node = table_.get(key);
    const auto line = node ? node->source().begin.line : table_.source().begin.line;
    throw DataError(file_, line, 0, where_ + "." + key + ": " + cause);
  }

 private:
  template <class T>
  static const char* TypeName() {
    if constexpr (std::is_same_v<T, bool>) return "true or false";
    if constexpr (std::is_integral_v<T>) return "an integer";
    if constexpr (std::is_floating_point_v<T>) return "a number";
    return "a text in quotes";
  }
  static std::string Joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
  }

  const std::string& file_;
  const toml::table& table_;
  std::string where_;
};

}  // namespace okbench
