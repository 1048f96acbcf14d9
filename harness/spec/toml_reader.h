#pragma once
// TomlReader: typed, strict access to one table of a spec. The allowed keys are in spec_keys.h.
// Any other key is an error. Every message is one line with file, line, key and the allowed values.

#include <toml++/toml.h>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/spec/spec_key.h"
#include "learners/api/parameters.h"

namespace okbench {

/// A parsed spec with overrides applied. Remembers the origin of each value for messages.
class TomlSource {
 public:
  /// Parses a file. Throws SpecError if the file is missing or malformed, with file, line and column.
  explicit TomlSource(const std::string& path);

  /// Sets the value at a dotted path and creates tables as needed. `origin` names the source in messages
  /// ("--set", "tiers.quick"). Throws SpecError if a prefix of the path is not a table.
  void Override(const std::string& path, const toml::node& value, const std::string& origin);
  /// Override() with text: a TOML value if it parses as one, otherwise a string.
  void OverrideText(const std::string& path, const std::string& text);

  /// Removes a table or value if it exists.
  void Remove(const std::string& path);

  const toml::table& root() const { return root_; }
  /// True if the learners come from a shared file (shared_learners.h).
  bool shared() const { return shared_; }
  void SetShared() { shared_ = true; }
  const std::string& path() const { return path_; }
  /// Whether --set changed the value at this path.
  bool Overridden(const std::string& path) const {
    return origins_.contains(path) && origins_.at(path) == "--set";
  }
  /// "file:line" of a node, or "file (origin)" if an override set it.
  std::string Where(const std::string& path, const toml::node* node) const;
  /// Throws SpecError: "<where>: <path>: <cause>".
  [[noreturn]] void Fail(const std::string& path, const toml::node* node, const std::string& cause) const;
  /// Line of a key in the file; the largest size_t for keys added by an override.
  std::size_t LineOf(const std::string& path) const;

 private:
  void NoteLines(const toml::table& table, const std::string& prefix);

  std::string path_;
  toml::table root_;
  bool shared_ = false;
  std::map<std::string, std::string> origins_;
  std::map<std::string, std::size_t> lines_;
};

class TomlReader {
 public:
  /// `prefix` is the dotted path of the table ("" for the root); `keys` are the allowed keys.
  /// Source, table and keys must outlive the reader.
  /// The getters below throw SpecError for an invalid value, or a missing one without default. They throw
  /// std::logic_error if the key is not in `keys` or has another kind.
  TomlReader(const TomlSource& source, const toml::table& table, std::string prefix, const KeyTable& keys);

  /// Adds allowed keys.
  void Add(const KeyTable& keys);

  bool Has(const std::string& key) { return Find(key).node != nullptr; }
  std::string Text(const std::string& key);
  /// One string, or a non-empty list of strings.
  std::vector<std::string> Texts(const std::string& key);
  std::string Choice(const std::string& key);
  std::int64_t Integer(const std::string& key);
  double Real(const std::string& key);
  bool Switch(const std::string& key);
  std::vector<double> Reals(const std::string& key);
  std::vector<std::int64_t> Integers(const std::string& key);
  /// The subtable `key`; null if it is absent and not required.
  const toml::table* Table(const std::string& key);
  /// A non-empty list of subtables with the allowed keys `keys`. The caller must Finish() each reader.
  std::vector<TomlReader> Tables(const std::string& key, const KeyTable& keys);
  /// A value of any parameter type. Sets `*divide_by_n` for { divide_by_n = x }; null: not allowed.
  ParameterValue Value(const std::string& key, bool* divide_by_n);
  /// One axis of a grid: a list of values, { values = [...] } or { powers_of_two = [...] }.
  /// The tables may contain divide_by_n = true, which sets `*divide_by_n`.
  std::vector<ParameterValue> Axis(const std::string& key, bool* divide_by_n);
  /// All keys of the table, in file order.
  std::vector<std::string> Keys() const;

  /// Allows these names for the placeholder key of the table.
  void Allow(const std::vector<std::string>& names);
  /// Checks the table once all keys are read. Throws SpecError for a key that is not allowed; the message
  /// contains `unknown`, the nearest allowed key and all allowed keys. Throws std::logic_error if a listed
  /// key was not read.
  void Finish(const std::string& unknown = "unknown key") const;
  /// Throws SpecError for a key that is not allowed here; part of Finish().
  void RequireKnownKeys(const std::string& unknown) const;
  /// Throws SpecError about a key of this table.
  [[noreturn]] void Fail(const std::string& key, const std::string& cause) const;
  /// Fails because a required key is missing, or because of a misspelt key.
  [[noreturn]] void FailMissing(const std::string& key, const std::string& cause) const;
  /// Fails because a value has the wrong type.
  [[noreturn]] void FailType(const std::string& key, const toml::node& node, const SpecKey& row) const;
  /// Throws SpecError with the rule of the key: "must <rule>". REQUIRES: the key has a rule.
  [[noreturn]] void FailRule(const std::string& key);
  /// Dotted path of a key of this table.
  std::string PathOf(const std::string& key) const { return prefix_.empty() ? key : prefix_ + "." + key; }

 private:
  struct Entry {
    const SpecKey& key;
    const toml::node* node;  // null: absent
  };
  Entry Find(const std::string& key, std::initializer_list<KeyKind> kinds = {});

  const TomlSource& source_;
  const toml::table& table_;
  std::string prefix_;
  std::vector<const SpecKey*> keys_;
  std::vector<std::string> known_;  // allowed names, including those for placeholders
  std::set<std::string> seen_;
};

}  // namespace okbench
