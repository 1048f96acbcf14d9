#pragma once
// SpecKey: the description of one spec key. TomlReader validates against it; `okbench help keys` prints it.

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "learners/api/parameters.h"

namespace okbench {

enum class KeyKind {
  kInteger,   ///< an integer
  kReal,      ///< a number
  kSwitch,    ///< true or false
  kText,      ///< a string
  kChoice,    ///< one of a few strings
  kTexts,     ///< a string or a list of strings
  kIntegers,  ///< a list of integers
  kReals,     ///< a list of numbers
  kValue,     ///< a parameter value; the method defines its type
  kAxis,      ///< a list of parameter values
  kTable,     ///< a table
  kTables,    ///< a list of tables
};

/// Name of a kind in messages: "integer", "text", ...
const char* KindName(KeyKind kind);

struct SpecKey {
  std::string name;  ///< in capitals: a placeholder, e.g. DATA_SET for any data set
  KeyKind kind;
  std::string description;                        ///< one line, shown by `okbench help keys`
  std::optional<ParameterValue> default_value{};  ///< none: see the description
  bool required = false;
  bool tier = false;  ///< tiers may change the value
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool open_minimum = false;           ///< excludes the minimum
  bool open_maximum = false;           ///< excludes the maximum
  std::vector<std::string> choices{};  ///< kChoice: allowed values
  std::string rule{};                  ///< condition beyond the type: "be [low, high] with low < high"

  /// True if the name is a placeholder for user-chosen names.
  bool IsPlaceholder() const;
  /// Condition on the value from kind and range, for messages after "must": "be an integer >= 1".
  std::string MustBe() const;
  /// Allowed values for lists of keys: `rule` if set, else kind and range: "an integer >= 1".
  std::string Allowed() const;
};

/// The keys of one spec table, in the order in which messages list them.
struct KeyTable {
  std::string path;  ///< dotted path; "": root of the spec
  std::string of;    ///< kernel that has these keys; "": keys of every kernel or table
  std::vector<SpecKey> keys;
};

/// A number with up to six decimals, without trailing zeros, for messages.
std::string NumberText(double value);

}  // namespace okbench
