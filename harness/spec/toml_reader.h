#pragma once
// TomlReader: typed, strict access to one table of a spec. Its keys (spec_keys.h) say what may stand there;
// all else is an error, and every message is one line with file, line, key and what is allowed.

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

/// A parsed spec with its overrides applied, and where each value came from.
class TomlSource {
 public:
  /// Parses a file. Throws SpecError with file, line and column.
  explicit TomlSource(const std::string& path);

  /// Sets the value at a dotted path, creating tables as needed; `origin` names the source in messages
  /// ("--set", "tiers.quick"). Throws SpecError when the path runs through a value.
  void Override(const std::string& path, const toml::node& value, const std::string& origin);
  /// The same from text: a TOML value, or else a bare string.
  void OverrideText(const std::string& path, const std::string& text);

  /// Takes a table or value out, if it is there.
  void Remove(const std::string& path);

  const toml::table& root() const { return root_; }
  /// Whether the learners are those of a list that specs share (shared_learners.h).
  bool shared() const { return shared_; }
  void SetShared() { shared_ = true; }
  const std::string& path() const { return path_; }
  /// "file:line" of a node, or the origin of the override that set it.
  std::string Where(const std::string& path, const toml::node* node) const;
  [[noreturn]] void Fail(const std::string& path, const toml::node* node, const std::string& cause) const;
  /// Line of a key in the file; keys that an override added come last.
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
  /// `prefix` is the dotted path of the table ("" for the root), `keys` are what may stand in it. Keys are
  /// asked for by the functions of their kind; asking for one that is not there is a std::logic_error.
  TomlReader(const TomlSource& source, const toml::table& table, std::string prefix, const KeyTable& keys);

  /// More keys that may stand in the table.
  void Add(const KeyTable& keys);

  bool Has(const std::string& key) { return Find(key).node != nullptr; }
  std::string Text(const std::string& key);
  /// One text, or a list of them; at least one.
  std::vector<std::string> Texts(const std::string& key);
  std::string Choice(const std::string& key);
  std::int64_t Integer(const std::string& key);
  double Real(const std::string& key);
  bool Switch(const std::string& key);
  std::vector<double> Reals(const std::string& key);
  std::vector<std::int64_t> Integers(const std::string& key);
  /// A table below this one; null when absent, unless it is required.
  const toml::table* Table(const std::string& key);
  /// A list of tables with these keys below this one, at least one; each is to be finished.
  std::vector<TomlReader> Tables(const std::string& key, const KeyTable& keys);
  /// A value of any of the parameter types; `divide_by_n` gets set for { divide_by_n = x }.
  ParameterValue Value(const std::string& key, bool* divide_by_n);
  /// A list of values, or { values = [...] } or { powers_of_two = [...] } (powers of two), either with divide_by_n =
  /// true: one axis of a grid. `divide_by_n` gets set for the latter.
  std::vector<ParameterValue> Axis(const std::string& key, bool* divide_by_n);
  std::vector<std::string> Keys() const;

  /// Names that may stand for the table's placeholder.
  void Allow(const std::vector<std::string>& names);
  /// Throws SpecError for a key that may not stand here: that it `unknown`, the nearest known one and all
  /// there are; std::logic_error when one that may was never asked for.
  void Finish(const std::string& unknown = "is not known") const;
  [[noreturn]] void Fail(const std::string& key, const std::string& cause) const;
  /// Fails by the key's own rule.
  [[noreturn]] void FailRule(const std::string& key);
  std::string PathOf(const std::string& key) const { return prefix_.empty() ? key : prefix_ + "." + key; }

 private:
  struct Entry {
    const SpecKey& key;
    const toml::node* node;  // null: left out
  };
  Entry Find(const std::string& key, std::initializer_list<KeyKind> kinds = {});

  const TomlSource& source_;
  const toml::table& table_;
  std::string prefix_;
  std::vector<const SpecKey*> keys_;
  std::vector<std::string> known_;  // names of keys, and of what stands for a placeholder
  std::set<std::string> seen_;
};

}  // namespace okbench
